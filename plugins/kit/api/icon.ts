/**
 * Reads the icon of a manifest, which is one SVG element of plain shapes, and writes it again. Elements and attributes
 * are known ones without a prefix: references, filters and dashes can make a short text draw for minutes, and a parser
 * of XML finds them under any prefix.
 */

/** Bounds of the work that drawing takes. */
const bounds = { characters: 16_000, elements: 200, depth: 16 } as const

const elements: ReadonlySet<string> = new Set('svg g title path circle ellipse rect line polyline polygon'.split(' '))
const namespace = 'http://www.w3.org/2000/svg'

/** Numbers, colours by name or in hexadecimal digits, words and path data. No parenthesis, so no `url(…)`. */
const plainValue = /^[\w\s.,#%+-]*$/
const functions = /^(?:\s|,|(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,eE+-]*\))*$/
const values: ReadonlyMap<string, RegExp> = new Map([
	...(
		'viewBox width height fill fill-rule fill-opacity clip-rule opacity stroke stroke-width stroke-linecap ' +
		'stroke-linejoin stroke-miterlimit stroke-opacity d points x y x1 y1 x2 y2 cx cy r rx ry role aria-hidden ' +
		'focusable preserveAspectRatio version'
	)
		.split(' ')
		.map(name => [name, plainValue] as const),
	['transform', functions],
	['xmlns', new RegExp(`^${namespace}$`)],
])

const tag = /<(\/?)([A-Za-z]+)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const attribute = /([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g
const text = /[^<&]+/y

/** @returns the icon, written again @throws Error that says what is wrong */
export function parseIcon(icon: string): string {
	if (icon.length > bounds.characters) throw new Error(`is longer than ${bounds.characters} characters`)
	const open: string[] = []
	const written: string[] = []
	let count = 0
	for (let at = 0; at < icon.length; ) {
		if (at > 0 && open.length === 0) throw new Error('is not one SVG element')
		text.lastIndex = at
		const words = text.exec(icon)
		if (words) {
			at = text.lastIndex
			if (open.at(-1) === 'title') written.push(words[0])
			else if (words[0].trim() !== '') throw new Error('has text outside of a title')
			continue
		}
		tag.lastIndex = at
		const [whole, isEnd, name = '', attributes = '', isEmpty] = tag.exec(icon) ?? []
		if (whole === undefined) throw new Error('is not the XML of plain shapes')
		at += whole.length
		if (isEnd) {
			if (open.pop() !== name || attributes || isEmpty) throw new Error(`has </${name}> without its beginning`)
			written.push(`</${name}>`)
			continue
		}
		if (!elements.has(name) || (open.length === 0) !== (name === 'svg')) throw new Error(`has the element ${name}`)
		if (++count > bounds.elements) throw new Error(`has more than ${bounds.elements} elements`)
		if (open.length >= bounds.depth) throw new Error(`has more than ${bounds.depth} levels`)
		written.push(`<${name}${writtenAttributes(attributes)}${isEmpty ? '/' : ''}>`)
		if (!isEmpty) open.push(name)
	}
	if (open.length > 0 || count === 0) throw new Error('is not one SVG element')
	return written.join('')
}

function writtenAttributes(attributes: string): string {
	const names = new Set<string>()
	let written = ''
	for (const [, name = '', double, single = ''] of attributes.matchAll(attribute)) {
		const value = double ?? single
		if (names.has(name)) throw new Error(`has the attribute ${name} twice`)
		names.add(name)
		if (!values.get(name)?.test(value)) throw new Error(`has the attribute ${name} with a value that icons cannot have`)
		written += ` ${name}="${value}"`
	}
	return written
}
