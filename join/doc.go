// Package join holds the operators that pair the rows of two inputs: the
// interval join over event or processing time, the window join of rows in the
// same window, the temporal join with the versions of a table, and the regular
// join over streams of changes with its semi and anti forms.
//
// All keep the rows of a side as encoded bytes that the garbage collector does
// not look into, find pairs row by row, and evaluate the condition and gather the
// output for all pairs of a step
// together, column by column.
package join
