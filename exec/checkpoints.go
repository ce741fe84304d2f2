package exec

import (
	"fmt"
	"strings"

	"fsql/checkpoint"
	"fsql/connector"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Checkpoints makes a job take checkpoints.
type Checkpoints struct {
	checkpoint.Config
	Backend state.Backend
	// ID tells what the job leaves in sinks from what others do; it is the same
	// over all restarts.
	ID string
	// AtLeastOnce takes rows of inputs that are ahead of others while a barrier
	// is on its way: no waiting, but after a restart they come again.
	AtLeastOnce bool
	// Resume is the checkpoint that the Backend has opened; nil: begin anew.
	Resume *checkpoint.Manifest
	// Withdraw: it is not the newest one, whose output has to be taken back.
	Withdraw bool
	// IgnoreUnclaimed drops state that the plan has no operator for, and lets
	// operators begin without state.
	IgnoreUnclaimed bool
}

// Unreadable is the failure to take over the state of a checkpoint.
type Unreadable struct {
	Node  string
	Cause error
}

// Error names the operator.
func (u *Unreadable) Error() string { return "the state of " + u.Node + ": " + u.Cause.Error() }

// Unwrap returns the cause.
func (u *Unreadable) Unwrap() error { return u.Cause }

// memory is what a job being built knows of its checkpoints.
type memory struct {
	*Checkpoints
	nodes []checkpoint.Node
	index map[int]int // of a plan node among nodes
	gates map[int]int // and of the gates of a plan node
}

// remember lists the nodes that have something to remember and refuses a plan
// that does not fit what is to be resumed.
func remember(p *physical.Plan, o order, c *Checkpoints) (*memory, error) {
	m := &memory{Checkpoints: c, index: map[int]int{}, gates: map[int]int{}}
	for _, n := range p.Nodes {
		print := ""
		switch {
		case n.Source != nil:
			print = "source"
		case n.Sink != nil:
			if _, ok := n.Sink.Sink.(connector.Transactional); !ok {
				continue
			}
			print = "sink"
		case n.Spec.Describe().State == "":
			continue
		default:
			print = n.Spec.Describe().Name
			if f, ok := n.Spec.(op.Fingerprinted); ok {
				print += ": " + f.Fingerprint()
			}
		}
		m.index[n.ID] = len(m.nodes)
		m.nodes = append(m.nodes, checkpoint.Node{UID: n.UID, Fingerprint: print, Subtasks: make([]checkpoint.Subtask, n.Parallel)})
	}
	for _, n := range p.Nodes {
		uid := n.UID + gateUID
		if n.UID == "" {
			o.merges[n.ID] = false // nobody would find again what it holds
		}
		if o.merges[n.ID] || c.Resume != nil && holds(c.Resume.Node(uid)) {
			m.gates[n.ID] = len(m.nodes)
			m.nodes = append(m.nodes, checkpoint.Node{UID: uid, Fingerprint: layout(p, n), Subtasks: make([]checkpoint.Subtask, n.Parallel)})
		}
	}
	if c.Resume == nil {
		return m, nil
	}
	return m, m.fit()
}

// fit compares the plan with the checkpoint.
func (m *memory) fit() error {
	now := checkpoint.Manifest{Nodes: m.nodes}
	for i := range m.Resume.Nodes {
		old := &m.Resume.Nodes[i]
		n := now.Node(old.UID)
		switch {
		case n == nil && strings.HasSuffix(old.UID, gateUID) && !holds(old):
			// Which gates merge changes with the parallelism.
		case n == nil && !m.IgnoreUnclaimed:
			return unclaimed(misfit("it has state of %s, which is not part of the job any more", old.UID))
		case n == nil:
			if err := m.Backend.Drop(old.UID); err != nil {
				return err
			}
		case n.Fingerprint != old.Fingerprint:
			return misfit("%s is not what it was: now %s, then %s", old.UID, n.Fingerprint, old.Fingerprint)
		}
	}
	for _, n := range m.nodes {
		if m.Resume.Node(n.UID) == nil && !strings.HasSuffix(n.UID, gateUID) && !m.IgnoreUnclaimed {
			return unclaimed(misfit("it has no state of %s, which is new", n.UID))
		}
	}
	return nil
}

// Unclaimed is the cause of a refusal that IgnoreUnclaimed would lift.
type Unclaimed struct{}

// Error tells what the matter is.
func (*Unclaimed) Error() string { return "the plan has other steps" }

func unclaimed(e *diag.Error) error {
	e.Cause = &Unclaimed{}
	return e
}

func misfit(format string, args ...any) *diag.Error {
	return diag.New(diag.StateMismatch, diag.Span{}, "the job does not fit the checkpoint that it would resume from: %s", fmt.Sprintf(format, args...))
}

// part is the index of a node, -1 if it has nothing to remember.
func (m *memory) part(n *physical.Node) int {
	if m == nil {
		return -1
	}
	i, ok := m.index[n.ID]
	if !ok {
		return -1
	}
	return i
}

// past are the subtasks of a node in the checkpoint that concern one of p now:
// its own if there are as many as then, else all.
func (m *memory) past(i, sub, p int) []checkpoint.Subtask {
	if m.Resume == nil {
		return nil
	}
	old := m.Resume.Node(m.nodes[i].UID)
	switch {
	case old == nil:
		return nil
	case len(old.Subtasks) == p:
		return old.Subtasks[sub : sub+1]
	}
	return old.Subtasks
}

// flies tells that rows were on their way to a node.
func (m *memory) flies(n *physical.Node) bool {
	return m != nil && m.Resume != nil && n.UID != "" && holds(m.Resume.Node(n.UID+gateUID))
}

// same tells that a node had p subtasks, too.
func (m *memory) same(i, p int) bool {
	if m.Resume == nil {
		return true
	}
	old := m.Resume.Node(m.nodes[i].UID)
	return old != nil && len(old.Subtasks) == p
}

// restore gives a stage its state.
func (m *memory) restore(s *stage, n *physical.Node, sub int) error {
	s.part, s.sub = m.part(n), sub
	if s.part < 0 {
		return nil
	}
	if s.stateful = op.StatefulOf(s.op); s.stateful == nil {
		return diag.New(diag.NotImplemented, diag.Span{}, "checkpoints of %s are not implemented yet", n.Spec.Describe().Name).
			WithHint("RESET 'execution.checkpointing.interval' runs the job without checkpoints")
	}
	s.stateful.Track()
	past := m.past(s.part, sub, n.Parallel)
	if past == nil {
		return nil
	}
	var locals [][]byte
	s.floor = types.MaxTime
	for _, p := range past {
		s.floor = min(s.floor, p.Seen)
		locals = append(locals, p.Local)
	}
	s.seen = s.floor
	store := m.Backend.Open(state.Groups(n.UID, sub, n.Parallel))
	if err := guard(func() error { return s.stateful.Restore(state.NewRestored(store, locals)) }); err != nil {
		return &Unreadable{s.out.name, err}
	}
	return nil
}

// guard makes an error of a panic over state that is not what it should be.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it is not what it should be: %v", p)
		}
	}()
	return f()
}

// begins tells that a source begins anew.
func (m *memory) begins(n *physical.Node) bool {
	return m == nil || m.Resume == nil || m.Resume.Node(n.UID) == nil
}

// positions are what the subtasks of a source go on from: each from its own,
// or dealt out anew if there were another number of them.
func (m *memory) positions(n *physical.Node) [][]connector.Split {
	old := m.Resume.Node(n.UID).Subtasks
	var all []connector.Split
	own := make([][]connector.Split, len(old))
	for i, s := range old {
		own[i] = s.Positions
		all = append(all, s.Positions...)
	}
	if len(old) == n.Parallel {
		return own
	}
	return deal(all, n.Parallel)
}

// resume sets the event time of a source to what it was; own are the positions
// that it goes on from.
func (m *memory) resume(t *SourceTask, n *physical.Node, own []connector.Split) {
	if m.begins(n) {
		return
	}
	if strikes(t.env.Fault, LoseOffset) {
		for i := range own {
			own[i].Offset = nil
		}
	}
	past := m.Resume.Node(n.UID).Subtasks
	if t.ticks != nil {
		// Of several subtasks that were dealt out anew all go on from the
		// furthest: what operators have seen must not come again.
		for _, p := range past {
			t.ticks.rows = max(t.ticks.rows, p.Top)
		}
		t.again = t.ticks.last()
		return
	}
	if t.time == nil || len(past) != 1 || past[0].Top <= t.time.top || strikes(t.env.Fault, LoseTime) {
		return
	}
	if past[0].Emitted > t.time.emitted {
		t.again = past[0].Emitted
	}
	t.time.top, t.time.emitted = past[0].Top, past[0].Emitted
}

// recallParts gives a source whose splits have event time of their own what it
// was.
func (m *memory) recallParts(t *SourceTask, n *physical.Node) error {
	reader, ok := t.reader.(connector.Parted)
	if !ok || t.time == nil {
		return nil
	}
	t.parts = &parts{reader: reader}
	if m.begins(n) {
		return nil
	}
	past := m.Resume.Node(n.UID).Subtasks
	if len(past) != 1 || len(past[0].Local) == 0 || strikes(t.env.Fault, LoseTime) {
		return nil
	}
	if err := t.parts.recall(past[0].Local); err != nil {
		return &Unreadable{t.out.name, err}
	}
	return nil
}

// admit takes the marks off a batch that the stage had seen before the restart
// and that come again, but for the last of them, which it passes on so that
// everything behind it knows its event time. nil: nothing is left.
func (s *stage) admit(b *row.Batch) *row.Batch {
	if n := len(b.Marks); n > 0 {
		s.seen = max(s.seen, b.Marks[n-1].Time)
	}
	if s.floor == types.MinTime || len(b.Marks) == 0 {
		return b
	}
	n := 0
	for n < len(b.Marks) && b.Marks[n].Time < s.floor {
		n++
	}
	if n == 0 {
		s.floor = types.MinTime
		return b
	}
	c := *b
	if c.Marks = b.Marks[n:]; len(c.Marks) > 0 {
		s.floor = types.MinTime
	}
	if c.Rows == 0 && len(c.Marks) == 0 {
		return nil
	}
	return &c
}
