package shell

import (
	"errors"
	"os"
	"os/exec"
	"strings"

	"fsql/internal/diag"
)

// modes are the arguments of .mode: formats, and how endless results are shown.
func modes() []string { return append(formats(), results()...) }

func (s *Shell) mode(arg string) error {
	if arg == "" {
		format := s.view.format
		if format == "" {
			format = "table"
		}
		s.printf("%s, %s\n", format, s.result())
		return nil
	}
	m, err := choice(arg, modes()...)
	if err != nil {
		return err
	}
	for _, r := range results() {
		if m == r {
			if s.view.result = m; m == "auto" {
				s.view.result = ""
			}
			return nil
		}
	}
	if s.view.format = m; m == "table" {
		s.view.format = ""
	}
	return nil
}

func (s *Shell) op(arg string) error {
	o, err := choice(arg, "auto", "always", "never")
	if err == nil {
		s.view.op = o
	}
	return err
}

func (s *Shell) expanded(arg string) error {
	if arg == "" {
		if arg = "on"; s.view.expanded == "on" {
			arg = "off"
		}
	}
	e, err := choice(arg, "on", "off", "auto")
	if err != nil {
		return err
	}
	s.view.expanded = e
	s.printf("Expanded display is %s.\n", e)
	return nil
}

func (s *Shell) timer(arg string) error {
	if arg == "" {
		if arg = "on"; s.timing {
			arg = "off"
		}
	}
	t, err := choice(arg, "on", "off")
	if err != nil {
		return err
	}
	s.timing = t == "on"
	s.printf("Timing is %s.\n", t)
	return nil
}

// read runs a script.
func (s *Shell) read(arg string) error {
	if arg == "" {
		return usage(".read takes a file")
	}
	return s.runFile(s.path(arg), arg)
}

// moveTo changes where relative paths start.
func (s *Shell) moveTo(dir string) {
	s.dir = dir
	s.session.SetDir(dir)
}

func (s *Shell) chdir(arg string) error {
	if arg == "" {
		s.printf("%s\n", s.dir)
		return nil
	}
	dir := s.path(arg)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return diag.New(diag.NoSuchFile, diag.Span{}, "there is no folder '%s'", arg)
	}
	s.moveTo(dir)
	return nil
}

func (s *Shell) output(arg string) error {
	if err := s.closeOutput(); err != nil || arg == "" {
		return err
	}
	f, err := os.Create(s.path(arg))
	if err != nil {
		return &diag.Error{Code: diag.InputOutput, Msg: "the output file '" + arg + "' cannot be written", Cause: err}
	}
	s.view.file = f
	return nil
}

func (s *Shell) once(arg string) error {
	if arg == "" {
		return usage(".once takes a file")
	}
	err := s.output(arg)
	s.view.once = err == nil
	return err
}

func (s *Shell) closeOutput() error {
	f := s.view.file
	s.view.file, s.view.once = nil, false
	if f == nil {
		return nil
	}
	return f.Close()
}

// system runs a command with the terminal as it was found.
func (s *Shell) system(arg string) error {
	if arg == "" {
		return usage(".shell takes a command")
	}
	shell, flag := os.Getenv("SHELL"), "-c"
	if shell == "" {
		shell = "/bin/sh"
	}
	return s.child(exec.CommandContext(s.base, shell, flag, arg))
}

// child runs a program that has the terminal to itself.
func (s *Shell) child(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = s.t.in, s.t.out, s.t.err, s.dir
	err := s.t.lend(cmd.Run)
	var status *exec.ExitError
	if errors.As(err, &status) {
		s.printf("%s\n", status)
		return nil
	}
	if err != nil {
		return &diag.Error{Code: diag.InputOutput, Msg: "the command cannot be run", Cause: err}
	}
	return nil
}

func (s *Shell) print(string) error {
	s.printf("%s\n", s.last)
	return nil
}

// editLast edits the last statement and runs what comes of it.
func (s *Shell) editLast(string) error {
	text, err := s.edited(s.last)
	if err != nil || strings.TrimSpace(text) == "" {
		return err
	}
	s.printf("%s\n", text)
	s.remember(text)
	s.input(text)
	return nil
}

// edited is a text after its user has changed it in an editor.
func (s *Shell) edited(text string) (string, error) {
	f, err := os.CreateTemp("", "fsql-*.sql")
	if err != nil {
		return text, &diag.Error{Code: diag.InputOutput, Msg: "no file to edit can be made in '" + os.TempDir() + "'", Cause: err}
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return text, &diag.Error{Code: diag.InputOutput, Msg: "the file to edit '" + f.Name() + "' cannot be written", Cause: err}
	}
	editor := os.Getenv("VISUAL")
	if editor == "" {
		editor = os.Getenv("EDITOR")
	}
	if editor == "" {
		editor = "vi"
	}
	// $EDITOR may hold arguments: "code --wait".
	words := append(strings.Fields(editor), f.Name())
	cmd := exec.CommandContext(s.base, words[0], words[1:]...)
	if err := s.child(cmd); err != nil {
		return text, err
	}
	out, err := os.ReadFile(f.Name())
	return strings.TrimRight(string(out), " \t\n"), err
}

// buffer runs a command about the statement being typed and returns what is
// left of it.
func (s *Shell) buffer(cmd, text string) string {
	switch cmd {
	case `\p`, ".print":
		s.printf("%s\n", text)
	case `\r`, ".reset":
		return ""
	default:
		out, err := s.edited(text)
		if err != nil {
			s.fail(err, diag.Source{})
		}
		s.printf("%s\n", out)
		return out
	}
	return text
}
