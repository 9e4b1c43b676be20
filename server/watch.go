package main

import "context"

func (s *server) watch(ctx context.Context) { <-ctx.Done() }
