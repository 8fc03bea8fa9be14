import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The window uses every class of the style sheets, and every class that it uses has a style. */

const read = (...globs: string[]) =>
	execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...globs], { encoding: 'utf8' })
		.split('\n')
		.filter(Boolean)
		.map(file => ({ file, text: readFileSync(file, 'utf8') }))

/** Returns the classes in the selectors of a style sheet. Those of the editor begin with `cm-`. */
function classesOf(css: string): string[] {
	const selectors = css.replace(/\/\*.*?\*\/|@import [^;]*;/gs, '').matchAll(/([^{}]*)\{/g)
	return [...selectors]
		.flatMap(([, selector = '']) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(match => match[1] ?? ''))
		.filter(name => !name.startsWith('cm-'))
}

/** Returns the classes that a component uses; `*` stands for text that is known only at run time. */
function classesIn(tsx: string): string[] {
	const plain = [...tsx.matchAll(/\bclass="([^"]*)"/g)].map(match => match[1] ?? '')
	const templates = [...tsx.matchAll(/\bclass=\{`([^`]*)`\}/g)].map(match =>
		(match[1] ?? '').replace(/\$\{[^}]*\}/g, '*'),
	)
	const lists = [...tsx.matchAll(/\bclassList(?:=\{\{(.*?)\}\}|: \{(.*?)\})/gs)].flatMap(match =>
		[...(match[1] ?? match[2] ?? '').matchAll(/(?:^|,)\s*'?([a-z][\w-]*)'?\s*:/g)].map(key => key[1] ?? ''),
	)
	return [...plain, ...templates, ...lists].flatMap(names => names.split(/\s+/)).filter(Boolean)
}

const styled = new Set(read('ui/*.css').flatMap(({ text }) => classesOf(text)))
const usedClasses = read('ui/*.tsx').flatMap(({ file, text }) => classesIn(text).map(name => ({ file, name })))
const fits = (pattern: string, name: string) =>
	pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

test('every class that the window uses has a style', () => {
	expect(usedClasses.length).toBeGreaterThan(100)
	const unknown = usedClasses.filter(({ name }) => ![...styled].some(known => fits(name, known)))
	expect(unknown.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})

test('the window uses every class that has a style', () => {
	expect([...styled].filter(name => !usedClasses.some(pattern => fits(pattern.name, name)))).toEqual([])
})

test('a class name that is completed at run time has a fixed beginning that names its purpose', () => {
	expect(usedClasses.filter(({ name }) => name.startsWith('*'))).toEqual([])
})

test('the window includes each style sheet of a feature', () => {
	const sheets = read('ui/*.css')
	const imported = sheets.find(({ file }) => file === 'ui/styles/main.css')?.text ?? ''
	const parts = [...imported.matchAll(/@import "([^"]+)"/g)].map(([, path = '']) => join('ui/styles', path))
	// Each app has only its styles (ui/apps).
	const files = sheets
		.map(({ file }) => file)
		.filter(file => file !== 'ui/styles/main.css' && !file.startsWith('ui/apps/'))
	expect(parts.sort()).toEqual(files.sort())
})

const withoutComments = (css: string) => css.replace(/\/\*.*?\*\//gs, '')
/** Each declaration of a sheet, as `ui/grid/view/view.css: color: red`. */
const declarations = read('ui/*.css')
	.filter(({ file }) => !file.startsWith('ui/styles/') && !file.startsWith('ui/apps/'))
	.flatMap(({ file, text }) =>
		[...withoutComments(text).matchAll(/([\w-]+):\s*([^;{}]+);/g)].map(([, name = '', value = '']) => ({
			name,
			value,
			shown: `${file}: ${name}: ${value}`,
		})),
	)
const without = (isWrong: (name: string, value: string) => boolean) =>
	declarations.filter(({ name, value }) => isWrong(name, value)).map(({ shown }) => shown)

test('colours stand in ui/styles alone', () => {
	expect(declarations.length).toBeGreaterThan(1000)
	const words = /(?:^|[\s(,])(?:white|black|red|green|blue|yellow|orange|purple|gray|grey)(?:$|[\s),])/
	expect(
		without(
			(_, value) =>
				/#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|light-dark\(/i.test(value) || words.test(value),
		),
	).toEqual([])
})

test('radii and sizes of texts stand in ui/styles alone', () => {
	const isRadius = (part: string) => ['0', '50%', 'inherit'].includes(part) || /^var\(--radius[\w-]*\)$/.test(part)
	expect(without((name, value) => /^border.*-radius$/.test(name) && !value.split(' ').every(isRadius))).toEqual([])
	expect(without((name, value) => /^font(-size)?$/.test(name) && /\d(?:px|pt|r?em)\b/.test(value))).toEqual([])
})

test('each token is used, and each variable that a style sheet reads is set', () => {
	const sheets = read('ui/*.css')
		.map(({ text }) => withoutComments(text))
		.join('\n')
	const code = read('ui/*.tsx', 'ui/*.ts')
		.map(({ text }) => text)
		.join('\n')
	const set = new Set([...sheets.matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name))
	const used = new Set([...sheets.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name))
	const isInCode = (name: string) => code.includes(`'${name}'`) || code.includes(`(${name})`)
	expect([...set].filter(name => !used.has(name) && !isInCode(name))).toEqual([])
	expect([...used].filter(name => !set.has(name) && !isInCode(name))).toEqual([])
})
