// Renders a chart as Helm does: Go's templates with sprig, of which Helm's own functions below are the rest.
// On stdin a JSON array of {chart, release, namespace, values}, the chart as {metadata, templates, files};
// on stdout an array of {manifests} or {error}, in the same order.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type chart struct {
	Metadata  map[string]interface{}
	Templates map[string]string
	Files     map[string]string
}

type task struct {
	Chart              chart
	Release, Namespace string
	Values             map[string]interface{}
}

type result struct {
	Manifests map[string]string `json:"manifests,omitempty"`
	Error     string            `json:"error,omitempty"`
}

type files map[string]string

// Get gives "" for a file that is not there, as Helm's does.
func (f files) Get(name string) string { return f[name] }

func functions(t *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	// Helm takes these two away: a chart must not depend on where it is rendered.
	delete(all, "env")
	delete(all, "expandenv")
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := t.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	return all
}

func render(one task) (map[string]string, error) {
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	for name, text := range one.Chart.Templates {
		if _, err := root.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	data := map[string]interface{}{
		"Values":  one.Values,
		"Chart":   one.Chart.Metadata,
		"Files":   files(one.Chart.Files),
		"Release": map[string]interface{}{"Name": one.Release, "Namespace": one.Namespace, "Service": "Helm"},
	}
	manifests := map[string]string{}
	for name := range one.Chart.Templates {
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		if err := root.ExecuteTemplate(&text, name, data); err != nil {
			return nil, err
		}
		// Helm leaves it out in silence: a name in a template that no value has.
		if strings.Contains(text.String(), "<no value>") {
			return nil, errors.New(name + ": a value is used that is not there")
		}
		manifests[name] = text.String()
	}
	return manifests, nil
}

func main() {
	var tasks []task
	if err := json.NewDecoder(os.Stdin).Decode(&tasks); err != nil {
		panic(err)
	}
	results := make([]result, len(tasks))
	for at, one := range tasks {
		manifests, err := render(one)
		if err != nil {
			results[at].Error = err.Error()
		} else {
			results[at].Manifests = manifests
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}
