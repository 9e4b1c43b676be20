package main

import (
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/build"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// The folder's name begins with an underscore so that the go command does not
// take its files for packages of this module.
//
//go:embed _src/net/*.go _src/signal/*.go
var sources embed.FS

func main() {
	log.SetFlags(0)
	log.SetPrefix("wasm/std: ")
	out := flag.String("out", "", "directory for overlay.json and the files it names")
	flag.Parse()
	if *out == "" || flag.NArg() != 0 {
		log.Fatal("usage: go run ./wasm/std -out DIR")
	}
	if err := write(*out); err != nil {
		log.Fatal(err)
	}
}

func write(out string) error {
	root := build.Default.GOROOT
	if root == "" {
		return errors.New("where Go is installed is not known: run this with go run, or set GOROOT")
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	o := &overlay{src: filepath.Join(root, "src"), out: out, replace: map[string]string{}}
	for _, step := range []func(*overlay) error{runtimeFiles, syscallFiles, signalFiles, timeFiles, netFiles} {
		if err := step(o); err != nil {
			return err
		}
	}
	index, err := json.MarshalIndent(map[string]any{"Replace": o.replace}, "", "\t")
	if err != nil {
		return err
	}
	return writeChanged(filepath.Join(out, "overlay.json"), append(index, '\n'))
}

// overlay gathers the files that replace others.
type overlay struct {
	src, out string
	replace  map[string]string
}

// put has the file name, below GOROOT/src, replaced by text or added.
func (o *overlay) put(name, text string) error {
	to := filepath.Join(o.out, strings.ReplaceAll(name, "/", "_"))
	o.replace[filepath.Join(o.src, filepath.FromSlash(name))] = to
	return writeChanged(to, []byte(text))
}

// own adds or replaces a file by one of ours.
func (o *overlay) own(name, from string) error {
	text, err := sources.ReadFile(from)
	if err != nil {
		return err
	}
	return o.put(name, string(text))
}

func (o *overlay) read(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(o.src, filepath.FromSlash(name)))
	return string(text), err
}

// An edit replaces a text that occurs exactly count times (0 means once).
type edit struct {
	old, new string
	count    int
}

// edit replaces a file by a copy of it with edits.
func (o *overlay) edit(name string, edits ...edit) error {
	text, err := o.read(name)
	if err != nil {
		return err
	}
	for _, e := range edits {
		want := max(e.count, 1)
		if n := strings.Count(text, e.old); n != want {
			return fmt.Errorf("%s: the text to replace occurs %d times, not %d; this Go differs from the one the overlay was written for:\n%s", name, n, want, e.old)
		}
		text = strings.ReplaceAll(text, e.old, e.new)
	}
	return o.put(name, text)
}

// writeChanged leaves a file alone that has the text already, so that the go
// command finds its cache.
func writeChanged(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == string(text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

func runtimeFiles(o *overlay) error {
	// Timers in nanoseconds: the host's clock is exact, so nothing is rounded.
	if err := o.edit("runtime/lock_js.go",
		edit{old: "delay := ns/1000000 + 1 // round up\n\t\tif delay > 1<<31-1 {\n\t\t\tdelay = 1<<31 - 1 // cap to max int32\n\t\t}", new: "delay := ns + 1"},
		edit{old: "delay = (pollUntil-now-1)/1e6 + 1\n", new: "delay = max(pollUntil-now, 1)\n"},
		edit{old: "if delay > 1e9 {", new: "if delay > 1e15 {"},
		edit{old: "delay = 1e9\n", new: "delay = 1e15\n"},
		edit{old: "idleTimeout.diff(pollUntil) > 1e6", new: "idleTimeout.diff(pollUntil) > 0"},
	); err != nil {
		return err
	}
	// A nil pointer is told of as on Linux.
	if err := o.edit("runtime/os_wasm.go",
		edit{old: "func signame(sig uint32) string {\n\treturn \"\"\n}", new: "func signame(sig uint32) string {\n\tif sig == _SIGSEGV {\n\t\treturn \"SIGSEGV: segmentation violation\"\n\t}\n\treturn \"\"\n}"},
	); err != nil {
		return err
	}
	// Goroutines that could run in any order do, by the seed.
	return o.edit("runtime/proc.go", edit{old: "const randomizeScheduler = raceenabled", new: "const randomizeScheduler = true"})
}

func syscallFiles(o *overlay) error {
	linux, err := o.read("syscall/zerrors_linux_amd64.go")
	if err != nil {
		return err
	}
	errorTexts, err := between(linux, "// Error table\nvar errors = ", "\n}\n")
	if err != nil {
		return fmt.Errorf("syscall/zerrors_linux_amd64.go: %w", err)
	}
	signalTexts, err := between(linux, "// Signal table\nvar signals = ", "\n}\n")
	if err != nil {
		return fmt.Errorf("syscall/zerrors_linux_amd64.go: %w", err)
	}
	numbers := regexp.MustCompile(`(?m)^\t(SIG\w+)\s*= Signal\((0x[0-9a-f]+)\)$`).FindAllStringSubmatch(linux, -1)
	if len(numbers) < 30 {
		return fmt.Errorf("syscall/zerrors_linux_amd64.go: found %d signals", len(numbers))
	}
	var signals strings.Builder
	signals.WriteString("const (\n")
	for _, n := range numbers {
		fmt.Fprintf(&signals, "\t%s = Signal(%s)\n", n[1], n[2])
	}
	signals.WriteString(")\n")

	tables, err := o.read("syscall/tables_js.go")
	if err != nil {
		return err
	}
	old, err := between(tables, "var errorstr = ", "\n}\n")
	if err != nil {
		return fmt.Errorf("syscall/tables_js.go: %w", err)
	}
	if err := o.edit("syscall/tables_js.go", edit{old: old, new: errorTexts}, edit{old: "import \"runtime\"\n", new: ""}); err != nil {
		return err
	}
	if err := o.edit("syscall/syscall_js.go",
		edit{old: "const (\n\t_ Signal = iota\n\tSIGCHLD\n\tSIGINT\n\tSIGKILL\n\tSIGTRAP\n\tSIGQUIT\n\tSIGTERM\n)\n", new: signals.String()},
		edit{old: "var signals = [...]string{}\n", new: "var signals = " + signalTexts + "\n"},
		edit{old: `return "js", nil`, new: `return jsProcess.Get("hostname").String(), nil`},
		edit{old: "func Kill(pid int, signum Signal) error { return ENOSYS }\n", new: `//go:wasmimport machine kill
func machineKill(pid, signal int32) int32

func Kill(pid int, signum Signal) error {
	if n := machineKill(int32(pid), int32(signum)); n < 0 {
		return Errno(-n)
	}
	return nil
}
`},
	); err != nil {
		return err
	}
	return o.edit("syscall/fs_js.go",
		edit{old: "// Provided by package runtime.\nfunc now() (sec int64, nsec int32)\n", new: `// Provided by package runtime.
func now() (sec int64, nsec int32)

//go:wasmimport machine write
//go:noescape
func machineWrite(fd int32, p unsafe.Pointer, n int32)
`},
		edit{old: "\t\"syscall/js\"\n)", new: "\t\"syscall/js\"\n\t\"unsafe\"\n)"},
		edit{old: "\tbuf := uint8Array.New(len(b))\n\tjs.CopyBytesToJS(buf, b)\n\tn, err := fsCall(\"write\", fd, buf, 0, len(b), nil)\n", new: `	if fd == 1 || fd == 2 {
		machineWrite(int32(fd), unsafe.Pointer(unsafe.SliceData(b)), int32(len(b)))
		return len(b), nil
	}

	buf := uint8Array.New(len(b))
	js.CopyBytesToJS(buf, b)
	n, err := fsCall("write", fd, buf, 0, len(b), nil)
`},
	)
}

func signalFiles(o *overlay) error {
	// The runtime supplies a symbol of the old name, which waits for a
	// receiver that wasm has not.
	if err := o.edit("os/signal/signal.go",
		edit{old: "\tsignalWaitUntilIdle()\n", new: "\twaitUntilIdle()\n"},
		edit{old: "func signalWaitUntilIdle()\n", new: ""},
	); err != nil {
		return err
	}
	return o.own("os/signal/signal_unix.go", "_src/signal/signal_machine.go")
}

func timeFiles(o *overlay) error {
	text, err := o.read("time/zoneinfo_js.go")
	if err != nil {
		return err
	}
	body, err := between(text, "func initLocal() ", "\n}\n")
	if err != nil {
		return fmt.Errorf("time/zoneinfo_js.go: %w", err)
	}
	return o.edit("time/zoneinfo_js.go",
		edit{old: "import (\n\t\"internal/strconv\"\n\t\"syscall/js\"\n)\n", new: ""},
		edit{old: body, new: "{\n\tlocalLoc.name = \"UTC\"\n}"},
	)
}

func netFiles(o *overlay) error {
	if err := o.own("net/net_machine.go", "_src/net/net_machine.go"); err != nil {
		return err
	}
	// TCP goes to the machine. What else net_fake.go has stays in the process.
	hooks := map[string]string{
		"func (ffd *fakeNetFD) Read(p []byte) (n int, err error) {\n":   "return ffd.tcp.read(p)",
		"func (ffd *fakeNetFD) Write(p []byte) (nn int, err error) {\n": "return ffd.tcp.write(p)",
		"func (ffd *fakeNetFD) Close() (err error) {\n":                 "return ffd.tcp.close()",
		"func (ffd *fakeNetFD) closeRead() error {\n":                   "return ffd.tcp.shutdown(true)",
		"func (ffd *fakeNetFD) closeWrite() error {\n":                  "return ffd.tcp.shutdown(false)",
		"func (ffd *fakeNetFD) accept(laddr Addr) (*netFD, error) {\n":  "return ffd.tcp.accept()",
		"func (ffd *fakeNetFD) SetDeadline(t time.Time) error {\n":      "return ffd.tcp.setDeadline(t, true, true)",
		"func (ffd *fakeNetFD) SetReadDeadline(t time.Time) error {\n":  "return ffd.tcp.setDeadline(t, true, false)",
		"func (ffd *fakeNetFD) SetWriteDeadline(t time.Time) error {\n": "return ffd.tcp.setDeadline(t, false, true)",
		"func (ffd *fakeNetFD) setReadBuffer(bytes int) error {\n":      "return nil",
		"func (ffd *fakeNetFD) setWriteBuffer(bytes int) error {\n":     "return nil",
		"func (ffd *fakeNetFD) setLinger(sec int) error {\n":            "return ffd.tcp.setLinger(sec)",
	}
	var heads []string
	for head := range hooks {
		heads = append(heads, head)
	}
	sort.Strings(heads)
	edits := []edit{
		{old: "type fakeNetFD struct {\n", new: "type fakeNetFD struct {\n\ttcp *tcpSocket // set when the machine carries this socket\n\n"},
		{old: "\tfd := &netFD{\n\t\tfamily: family,\n\t\tsotype: sotype,\n\t\tnet:    net,\n\t}\n\tfd.fakeNetFD = newFakeNetFD(fd)\n", new: `	if sotype == syscall.SOCK_STREAM && len(net) >= 3 && net[:3] == "tcp" {
		return tcpSocketFor(ctx, net, family, laddr, raddr)
	}

	fd := &netFD{
		family: family,
		sotype: sotype,
		net:    net,
	}
	fd.fakeNetFD = newFakeNetFD(fd)
`},
		{old: "\tif raddr != nil && ctrlCtxFn != nil {\n", new: "\tif raddr != nil && ctrlCtxFn != nil && sotype != syscall.SOCK_STREAM {\n"},
	}
	for _, head := range heads {
		edits = append(edits, edit{old: head, new: head + "\tif ffd.tcp != nil {\n\t\t" + hooks[head] + "\n\t}\n"})
	}
	if err := o.edit("net/net_fake.go", edits...); err != nil {
		return err
	}
	// Asking for keep-alives is no error on Linux.
	return o.edit("net/sockopt_fake.go", edit{old: "func setKeepAlive(fd *netFD, keepalive bool) error {\n", new: "func setKeepAlive(fd *netFD, keepalive bool) error {\n\tif fd.fakeNetFD != nil && fd.tcp != nil {\n\t\treturn nil\n\t}\n"})
}

// between returns what follows after in text, up to and with end.
func between(text, after, end string) (string, error) {
	_, rest, ok := strings.Cut(text, after)
	if !ok {
		return "", fmt.Errorf("it has no %q", after)
	}
	body, _, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("what follows %q does not end", after)
	}
	return body + strings.TrimSuffix(end, "\n"), nil
}
