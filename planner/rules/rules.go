// Package rules rewrites logical plans, one rule per file.
package rules

import (
	"fsql/expr"
	"fsql/planner/logical"
)

// Context is what rules may know of the session.
type Context struct {
	Funcs *expr.Registry
	Zone  expr.Zone
}

// All lists the rules in the order in which they are applied.
func All(c Context) []logical.Rule {
	return []logical.Rule{
		logical.Each("fold-constants", c.fold),
		logical.Each("merge-calc", c.mergeCalc),
		logical.Each("fold-constants", c.fold),
		logical.Each("remove-empty", removeEmpty),
		logical.Each("rank", c.rank),
		logical.Each("remove-aggregate", removeAggregate),
		logical.Each("merge-calc", c.mergeCalc),
		logical.Each("split-join", c.splitJoin),
		logical.Each("split-unnest", c.splitUnnest),
		{Name: "fuse-window", Apply: fuse},
		logical.Each("attach-window", c.attach),
		logical.Each("merge-calc", c.mergeCalc),
		{Name: "share-scans", Apply: shareScans},
		logical.Each("normalize", c.normalize),
		{Name: "prune-partitions", Apply: c.prunePartitions},
		{Name: "prune-columns", Apply: prune},
		{Name: "share-normalized", Apply: shareNormalized},
		logical.Each("remove-identity", removeIdentity),
		{Name: "push-limit", Apply: pushLimit},
	}
}

// Apply runs the rules and names those that changed something, each once.
func Apply(roots []logical.Node, c Context) (out []logical.Node, fired []string, err error) {
	seen := map[string]bool{}
	for _, r := range All(c) {
		now, err := r.Apply(roots)
		if err != nil {
			return nil, nil, err
		}
		for i := range now {
			if now[i] != roots[i] && !seen[r.Name] {
				seen[r.Name] = true
				fired = append(fired, r.Name)
			}
		}
		roots = now
	}
	return roots, fired, nil
}
