package value
import ("testing";"os";"bufio";"strings";"strconv";"math")
func TestJavaFuzz(t *testing.T){
 for _,name:=range []string{"d","f"}{
 f,err:=os.Open("/tmp/jp/"+name+".txt"); if err!=nil {t.Skip()}
 sc:=bufio.NewScanner(f); bad:=0
 for sc.Scan(){ a:=strings.Fields(sc.Text()); b,_:=strconv.ParseUint(a[0],16,64)
  var got string
  if name=="d" { got=string(AppendDouble(nil,math.Float64frombits(b))) } else { got=string(AppendFloat(nil,math.Float32frombits(uint32(b)))) }
  if got!=a[1] { bad++; if bad<15 {t.Errorf("%s %s: got %s want %s",name,a[0],got,a[1])} } }
 t.Log(name,"bad",bad)
 }
}
