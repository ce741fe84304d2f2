package sql
import ("testing";"os";"fmt";"math/rand";"strings")
func TestTmpRand(t *testing.T) {
	r := &randomExpr{Rand: rand.New(rand.NewSource(7))}
	a, _ := os.Create("/tmp/ask/rnd.txt"); b, _ := os.Create("/tmp/ask/rndm.txt")
	for range 60000 { r.tokens = r.tokens[:0]; r.expr(7); text := strings.Join(r.tokens, " ")
		x, err := ParseExpr(text); fmt.Fprintln(a, text)
		if err != nil { o := &opinion{tokens: r.tokens}; fmt.Fprintln(b, o.read(0)+" --X") } else { fmt.Fprintln(b, FormatExpr(x)) } }
}
