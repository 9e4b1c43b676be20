package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"drainlab/exercises/event"
)

// listenerSlack is how long after a process says that it stops listening a
// new connection may still be accepted: closing a listener takes a moment.
const listenerSlack = 200 * time.Millisecond

// Judge reads a run's events and says what each of the scenario's checks
// found. It depends on nothing else, so a recording is judged as a live run is.
func Judge(sc Scenario, events []event.Event) Verdict {
	l := newLedger(events)
	v := Verdict{Scenario: sc.Name, Pass: true}
	for _, c := range sc.Checks {
		r := l.judge(c)
		r.Check = c.Name
		v.Checks = append(v.Checks, r)
		v.Pass = v.Pass && r.Pass
	}
	return v
}

func (l *ledger) judge(c Check) Result {
	name, p := l.first()
	switch c.Name {
	case CheckExit:
		return judgeExit(c, name, p)
	case CheckWithinGrace:
		return judgeGrace(name, p)
	case CheckOrder:
		return judgeOrder(c, name, p)
	case CheckAccepted:
		return l.judgeAccepted(c, p)
	case CheckAckErrors:
		return judgeCount(c, slices.Clone(l.ackFailed), sayings[c.Name])
	case CheckUnanswered:
		var ids []string
		for id, r := range l.requests {
			if r.accepted && (!r.finished || r.status >= 500) {
				ids = append(ids, id)
			}
		}
		sortIDs(ids)
		return judgeCount(c, ids, sayings[c.Name])
	}
	var which func(*messageLife) bool
	switch c.Name {
	case CheckLost:
		which = func(m *messageLife) bool { return m.done == 0 && !m.dead && (m.acked || m.dropped) }
	case CheckRedelivered:
		which = func(m *messageLife) bool { return m.redelivered }
	case CheckDuplicates:
		which = func(m *messageLife) bool { return m.done > 1 || m.done == 1 && m.left }
	case CheckDeadLettered:
		which = func(m *messageLife) bool { return m.dead }
	default:
		return Result{Detail: fmt.Sprintf("no check is named %q", c.Name), DetailRu: fmt.Sprintf("нет проверки с именем %q", c.Name)}
	}
	return judgeCount(c, l.which(which), sayings[c.Name])
}

// saying is how a count is put into words. All but none and ruNone take the
// number.
type saying struct {
	none, one, many       string
	ruNone, ru1, ru2, ru5 string // Russian: 1; 2 to 4; 5 and more
}

var sayings = map[CheckName]saying{
	CheckLost: {none: "no message was lost", one: "%d message was lost: acked or dropped, and never done", many: "%d messages were lost: acked or dropped, and never done",
		ruNone: "ни одно сообщение не потеряно", ru1: "потеряно %d сообщение: подтверждено или отброшено, но не сделано", ru2: "потеряно %d сообщения: подтверждены или отброшены, но не сделаны", ru5: "потеряно %d сообщений: подтверждены или отброшены, но не сделаны"},
	CheckRedelivered: {none: "no message came back", one: "%d message came back after a delivery", many: "%d messages came back after a delivery",
		ruNone: "ни одно сообщение не вернулось", ru1: "вернулось %d уже доставленное сообщение", ru2: "вернулись %d уже доставленных сообщения", ru5: "вернулись %d уже доставленных сообщений"},
	CheckDuplicates: {none: "no finished work was done again", one: "%d message was finished and came again", many: "%d messages were finished and came again",
		ruNone: "ни одна сделанная работа не повторилась", ru1: "%d сообщение было обработано и пришло снова", ru2: "%d сообщения были обработаны и пришли снова", ru5: "%d сообщений были обработаны и пришли снова"},
	CheckDeadLettered: {none: "the dead-letter queue is empty", one: "%d message is in the dead-letter queue", many: "%d messages are in the dead-letter queue",
		ruNone: "очередь dead-letter пуста", ru1: "в очереди dead-letter %d сообщение", ru2: "в очереди dead-letter %d сообщения", ru5: "в очереди dead-letter %d сообщений"},
	CheckAckErrors: {none: "every ack was sent", one: "%d ack failed", many: "%d acks failed",
		ruNone: "все ack отправлены", ru1: "не прошёл %d ack", ru2: "не прошли %d ack", ru5: "не прошли %d ack"},
	CheckUnanswered: {none: "every accepted request was answered whole", one: "%d accepted request was cut off or failed", many: "%d accepted requests were cut off or failed",
		ruNone: "все принятые запросы получили полный ответ", ru1: "%d принятый запрос оборван или завершился ошибкой", ru2: "%d принятых запроса оборваны или завершились ошибкой", ru5: "%d принятых запросов оборваны или завершились ошибкой"},
	CheckAccepted: {none: "nothing was accepted after the stop began", one: "%d request was accepted after the process said that it stops", many: "%d requests were accepted after the process said that it stops",
		ruNone: "после начала остановки ничего не принято", ru1: "%d запрос принят после того, как процесс объявил остановку", ru2: "%d запроса приняты после того, как процесс объявил остановку", ru5: "%d запросов приняты после того, как процесс объявил остановку"},
}

func judgeCount(c Check, ids []string, s saying) Result {
	n := len(ids)
	r := Result{Pass: n >= c.Min && n <= c.Max, Got: fmt.Sprint(n), Messages: ids}
	switch {
	case c.Min == c.Max:
		r.Want = fmt.Sprint(c.Min)
	default:
		r.Want = fmt.Sprintf("%d–%d", c.Min, c.Max)
	}
	list := strings.Join(ids, ", ")
	switch {
	case n == 0:
		r.Detail, r.DetailRu = s.none, s.ruNone
	case n == 1:
		r.Detail, r.DetailRu = fmt.Sprintf(s.one, n)+" ("+list+")", fmt.Sprintf(s.ru1, n)+" ("+list+")"
	default:
		r.Detail, r.DetailRu = fmt.Sprintf(s.many, n)+" ("+list+")", fmt.Sprintf(russian(n, s), n)+" ("+list+")"
	}
	if !r.Pass {
		r.Detail += "; expected " + r.Want
		r.DetailRu += "; ожидалось " + r.Want
	}
	return r
}

func russian(n int, s saying) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return s.ru1
	case n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14):
		return s.ru2
	}
	return s.ru5
}

func judgeExit(c Check, name string, p *processLife) Result {
	r := Result{Want: fmt.Sprint(c.Min)}
	if !p.exited {
		r.Got, r.Detail, r.DetailRu = "running", name+" did not exit", name+" не завершился"
		return r
	}
	r.Got, r.Pass = fmt.Sprint(p.code), p.code == c.Min
	r.Detail, r.DetailRu = fmt.Sprintf("%s exited with %d", name, p.code), fmt.Sprintf("%s завершился с кодом %d", name, p.code)
	if why, whyRu := codeMeaning(p.code); why != "" {
		r.Detail, r.DetailRu = r.Detail+" ("+why+")", r.DetailRu+" ("+whyRu+")"
	}
	if !r.Pass {
		r.Detail += "; expected " + r.Want
		r.DetailRu += "; ожидался " + r.Want
	}
	return r
}

func codeMeaning(code int) (en, ru string) {
	switch code {
	case 2:
		return "a panic, or a fatal error of the runtime", "паника или фатальная ошибка runtime"
	case 130:
		return "ended by INT", "завершён сигналом INT"
	case 137:
		return "ended by KILL", "завершён сигналом KILL"
	case 143:
		return "ended by TERM: nothing caught it", "завершён сигналом TERM: его никто не перехватил"
	}
	return "", ""
}

func judgeGrace(name string, p *processLife) Result {
	r := Result{Want: "≤ " + seconds(p.grace)}
	took := p.left - p.told
	switch {
	case p.toldBy == "":
		r.Got, r.Detail, r.DetailRu = "not stopped", name+" was never told to stop", name+" не получал сигнала остановки"
	case p.expired:
		r.Got = "> " + seconds(p.grace)
		r.Detail = fmt.Sprintf("%s was still running when its %s ended, and was killed", name, seconds(p.grace))
		r.DetailRu = fmt.Sprintf("%s ещё работал, когда вышли его %s, и был убит", name, seconds(p.grace))
	case !p.exited:
		r.Got, r.Detail, r.DetailRu = "running", name+" did not exit", name+" не завершился"
	default:
		r.Pass, r.Got = true, seconds(took)
		r.Detail = fmt.Sprintf("%s stopped in %s of %s", name, seconds(took), seconds(p.grace))
		r.DetailRu = fmt.Sprintf("%s остановился за %s из %s", name, seconds(took), seconds(p.grace))
	}
	return r
}

func judgeOrder(c Check, name string, p *processLife) Result {
	var got []string
	for _, ph := range p.phases {
		if slices.Contains(c.Phases, ph.name) && !slices.Contains(got, ph.name) {
			got = append(got, ph.name)
		}
	}
	arrow := func(s []string) string { return strings.Join(s, " → ") }
	r := Result{Pass: slices.Equal(got, c.Phases), Want: arrow(c.Phases), Got: arrow(got)}
	var missing []string
	for _, ph := range c.Phases {
		if !slices.Contains(got, ph) {
			missing = append(missing, ph)
		}
	}
	switch {
	case r.Pass:
		r.Detail, r.DetailRu = name+": "+r.Got, name+": "+r.Got
	case len(missing) > 0:
		r.Detail = fmt.Sprintf("%s never reached %s; expected %s", name, strings.Join(missing, ", "), r.Want)
		r.DetailRu = fmt.Sprintf("%s не дошёл до: %s; ожидалось %s", name, strings.Join(missing, ", "), r.Want)
	default:
		r.Detail = fmt.Sprintf("%s went %s; expected %s", name, r.Got, r.Want)
		r.DetailRu = fmt.Sprintf("%s прошёл так: %s; ожидалось %s", name, r.Got, r.Want)
	}
	return r
}

// judgeAccepted counts requests that began after the process had reached the
// phase in c.Phases[0], which is when it says that it stops listening.
func (l *ledger) judgeAccepted(c Check, p *processLife) Result {
	var ids []string
	for _, ph := range p.phases {
		if len(c.Phases) == 0 || ph.name != c.Phases[0] {
			continue
		}
		for id, r := range l.requests {
			if r.accepted && r.started > ph.at+listenerSlack {
				ids = append(ids, id)
			}
		}
		break
	}
	sortIDs(ids)
	return judgeCount(c, ids, sayings[c.Name])
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
