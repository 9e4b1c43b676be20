// What a program asks the system.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

func main() {
	name, err := os.Hostname()
	fmt.Println(name != "", err)
	fmt.Println(os.Getpid() > 1, len(os.Args))
	fmt.Println(time.Local, time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local))
	fmt.Println(time.Now().Year() >= 2026)
	fmt.Println(os.Getenv("MISSING") == "", os.Setenv("A", "b"), os.Getenv("A"))

	dir, err := os.MkdirTemp("", "drainlab")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "checkpoint")
	_, err = os.ReadFile(file)
	fmt.Println(errors.Is(err, fs.ErrNotExist), errors.Unwrap(err))
	fmt.Println(os.WriteFile(file, []byte("one\n"), 0o600))
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	fmt.Println(err)
	fmt.Fprintln(f, "two")
	fmt.Println(f.Sync(), f.Close(), f.Close() != nil)
	fmt.Println(os.Rename(file, file+".new"))
	b, err := os.ReadFile(file + ".new")
	fmt.Printf("%q %v\n", b, err)
	fmt.Println(os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	fmt.Println(errors.Is(os.Mkdir(filepath.Join(dir, "a"), 0o755), fs.ErrExist))
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		fmt.Println(e.Name(), e.IsDir())
	}
	fmt.Println(err)
	info, err := os.Stat(file + ".new")
	fmt.Println(info.Size(), info.Mode().IsRegular(), err)
	fmt.Println(os.Remove(filepath.Join(dir, "a")) != nil, os.RemoveAll(dir))
	_, err = os.Stat(dir)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
}
