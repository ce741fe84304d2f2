package agg

import "fsql/state"

// Decoder reads the saved form of an accumulator.
type Decoder = state.Decoder
