package exec

import "sync/atomic"

// Account counts the memory of one job: batches in queues and in work, builders
// of sources, state of operators. The numbers are estimates, made where memory
// changes hands, never per row.
type Account struct {
	current, peak atomic.Int64
}

// Add changes the current bytes by n and keeps the peak.
func (a *Account) Add(n int64) {
	if n == 0 {
		return
	}
	now := a.current.Add(n)
	for {
		p := a.peak.Load()
		if now <= p || a.peak.CompareAndSwap(p, now) {
			return
		}
	}
}

// Current is the number of bytes held now.
func (a *Account) Current() int64 { return a.current.Load() }

// Peak is the most that was held at once.
func (a *Account) Peak() int64 { return a.peak.Load() }

// share is one holder's part of an account, changed by setting it.
type share struct {
	account *Account
	bytes   int64
}

func (s *share) set(n int64) {
	s.account.Add(n - s.bytes)
	s.bytes = n
}
