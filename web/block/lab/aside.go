package lab

import (
	"html/template"
	"io"

	"drainlab/web/block"
)

var aside = template.Must(template.New("aside").Parse(`<dl-lab data-exercise="{{.Exercise}}">
{{.Data}}
<div class="bar"><button type="button" class="run" disabled>{{.W.run}}</button><button type="button" class="term" disabled>TERM</button><button type="button" class="kill" disabled>KILL</button></div>
<div class="counts"><div><b>0</b><span>{{.W.ready}}</span></div><div><b>0</b><span>{{.W.unacked}}</span></div><div><b>0</b><span>{{.W.acked}}</span></div><div><b>–</b><span>{{.W.grace}}</span></div></div>
<div class="timeline" role="img" aria-label="{{.W.timeline}}"></div>
<noscript><p>{{.W.noscript}}</p><pre class="code"><code><span class="line">bin/drainlab run {{.Exercise}} -program solution
</span></code></pre></noscript>
</dl-lab>
`))

// Aside writes the lab of a page as it is before its script runs, or when
// there is none: everything has its place already, so that nothing moves when
// it comes to life. Exercise is the exercise's folder, data what the script
// must know of it, as encoding/json has marshalled it.
func Aside(w io.Writer, lang, exercise string, data []byte) error {
	return block.Execute(w, aside, map[string]any{
		"Exercise": exercise, "W": block.In(lang, en, ru),
		// Data's <, > and & are escapes already: nothing ends the element.
		"Data": template.HTML(`<script type="application/json" class="exercise">` + string(data) + `</script>`),
	})
}
