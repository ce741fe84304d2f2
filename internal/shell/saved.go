package shell

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"fsql/internal/diag"
)

// configPath is where a user keeps files for the shell to read: fsqlrc, and
// statements that were saved under a name.
func configPath(name string) string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "fsql", name)
}

// begin runs the init files: the ones that were asked for, else fsqlrc if there
// is one.
func (s *Shell) begin() error {
	for _, f := range s.cfg.Init {
		if err := s.runFile(s.path(f), f); err != nil {
			return err
		}
	}
	rc := configPath("fsqlrc")
	if len(s.cfg.Init) > 0 || s.cfg.NoRC || rc == "" {
		return nil
	}
	// The folder of fsqlrc is no place that anybody works in: relative paths in
	// it start where the shell does.
	text, err := os.ReadFile(rc)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil // most people have none
	case err != nil:
		return &diag.Error{Code: diag.InputOutput, Msg: "'" + rc + "' cannot be read", Cause: err}
	}
	s.runScript(diag.Source{Name: "fsqlrc", Text: string(text)})
	return nil
}

var savedName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// savedPath is the file of a saved statement.
func savedPath(name string) (string, error) {
	if !savedName.MatchString(name) {
		return "", usage("'%s' is no name: letters, digits, _ . and - may stand in one", name)
	}
	path := configPath(filepath.Join("saved", name+".sql"))
	if path == "" {
		return "", usage("there is no home folder to keep statements in")
	}
	return path, nil
}

// save keeps the last statement under a name.
func (s *Shell) save(arg string) error {
	switch {
	case arg == "":
		return usage(".save takes a name")
	case s.last == "":
		return usage("no statement was run yet")
	}
	path, err := savedPath(arg)
	if err != nil {
		return err
	}
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = os.WriteFile(path, []byte(strings.TrimRight(s.last, " \t\n")+"\n"), 0o600)
	}
	if err != nil {
		return &diag.Error{Code: diag.InputOutput, Msg: "the statement cannot be saved in '" + path + "'", Cause: err}
	}
	s.printf("Saved. .run %s runs it again.\n", arg)
	return nil
}

// runSaved runs a saved statement; without a name it lists them.
func (s *Shell) runSaved(arg string) error {
	if arg == "" {
		names := savedNames()
		if len(names) == 0 {
			s.printf("Nothing is saved. .save NAME keeps the last statement.\n")
		}
		for _, n := range names {
			s.printf("%s\n", n)
		}
		return nil
	}
	path, err := savedPath(arg)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		e := usage("nothing is saved as '%s'", arg)
		if near := diag.Nearest(arg, savedNames()); near != "" {
			return e.WithHint("did you mean %s?", near)
		}
		return e.WithHint(".run without a name lists what is saved")
	}
	if err != nil {
		return &diag.Error{Code: diag.InputOutput, Msg: "'" + path + "' cannot be read", Cause: err}
	}
	s.last = strings.TrimRight(string(text), "\n")
	s.printf("%s\n", s.last)
	s.execute(diag.Source{Text: s.last}, false)
	return nil
}

func savedNames() []string {
	entries, err := os.ReadDir(configPath("saved"))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if n, ok := strings.CutSuffix(e.Name(), ".sql"); ok {
			names = append(names, n)
		}
	}
	return names
}

// bail says whether the first error ends what was typed or a script.
func (s *Shell) bail(arg string) error {
	if arg == "" {
		arg = "off"
		if s.goOn {
			arg = "on"
		}
	}
	b, err := choice(arg, "on", "off")
	if err != nil {
		return err
	}
	s.goOn = b == "off"
	if s.goOn {
		s.printf("Statements that follow an error are run.\n")
	} else {
		s.printf("The first error ends a script.\n")
	}
	return nil
}
