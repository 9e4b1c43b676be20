package lab

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"drainlab/web/block"
)

// The lab before its script runs: what kind.ts draws first, with the same
// classes, so that nothing moves when it comes to life.
var aside = template.Must(template.New("aside").Parse(`<dl-lab data-exercise="{{.Exercise}}">
<script type="application/json" class="exercise">{{.Data}}</script>
<div class="setup"><label class="program"><span>{{.W.program}}</span><select disabled><option>solution</option></select></label><label class="scenario"><span>{{.W.scenario}}</span><select disabled><option>{{.W.free}}</option></select></label><div class="platform"><label><span>{{.W.platform}}</span><select disabled><option>docker stop</option></select></label><label class="grace"><span class="visually-hidden">{{.W.seconds}}</span><input type="text" size="3" value="10" disabled><span aria-hidden="true">{{.W.s}}</span></label></div></div>
<div class="start"><fieldset class="predict" disabled><legend>{{.W.predict}}</legend><label>{{.W.code}} <input type="text" size="4" placeholder="?"></label><label>{{if .AMQP}}{{.W.back}}{{else}}{{.W.cutOff}}{{end}} <input type="text" size="4" placeholder="?"></label></fieldset><div class="go"><button type="button" class="run" disabled>{{.W.run}}<kbd>Ctrl ↵</kbd></button><button type="button" class="just quiet" disabled>{{.W.just}}</button></div></div>
<div class="controls"><button type="button" class="term" disabled>TERM<kbd>T</kbd></button><button type="button" class="kill" disabled>KILL<kbd>K</kbd></button><button type="button" class="int" disabled>INT<kbd>I</kbd></button><select class="target" aria-label="{{.W.target}}" disabled><option>{{.W.newest}}</option></select><button type="button" class="publish" disabled>{{if .AMQP}}{{.W.publish}}{{else}}{{.W.request}}{{end}}<kbd>P</kbd></button><button type="button" class="hang" disabled>{{if .AMQP}}{{.W.hang}}{{else}}{{.W.hangHTTP}}{{end}}<kbd>H</kbd></button><button type="button" class="cut" disabled>{{.W.cut}}<kbd>C</kbd></button><button type="button" class="restart" disabled>{{.W.restart}}<kbd>R</kbd></button></div>
<div class="status"></div>
<div class="counts">{{if .AMQP}}<div><b>0</b><span>{{.W.ready}}</span></div><div><b>0</b><span>{{.W.unacked}}</span></div><div><b>0</b><span>{{.W.acked}}</span></div>{{else}}<div><b>0</b><span>{{.W.conns}}</span></div><div><b>0</b><span>{{.W.flying}}</span></div><div><b>0</b><span>{{.W.answered}}</span></div><div><b>0</b><span>{{.W.broken}}</span></div>{{end}}<div class="grace"><b>–</b><span>{{.W.grace}}</span></div></div>
<div class="stage"><noscript><p>{{.W.noscript}}</p><pre class="code"><code><span class="line">bin/drainlab run {{.Exercise}} -program solution
</span></code></pre></noscript></div>
<dl-lab-log></dl-lab-log>
</dl-lab>
`))

// Aside writes the lab of a page as it is before its script runs, or when
// there is none. Exercise is the exercise's folder, data what the script must
// know of it, as encoding/json has marshalled it.
func Aside(w io.Writer, lang, exercise string, data []byte) error {
	var known struct {
		Needs []string `json:"needs"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return fmt.Errorf("what is known of exercise %s: %w", exercise, err)
	}
	return block.Execute(w, aside, map[string]any{
		"Exercise": exercise, "W": block.In(lang, en, ru), "AMQP": slices.Contains(known.Needs, "amqp"),
		"Data": template.JS(data), // its <, > and & are escapes already
	})
}
