import type { Layout } from './layout.ts'
import { headHeight, lineHeight, linesOf } from './lines.ts'
import { type Detail, type DiagramTable, type SchemaGraph, shownColumns } from './schema-graph.ts'

/** Sizes of letters in pixels. */
const letters = { head: 13, line: 12 }
const inset = 10
/** About the width of a letter, by the size of the letters. */
const letterWidth = 0.56

/** Colours of paper, because a file has no theme. */
const style = [
	'text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#1c2024}',
	'.box{fill:#ffffff;stroke:#9aa3ad}',
	'.outside .box{stroke-dasharray:4 3}',
	'.rule{stroke:#e2e5e9}',
	'.key{font-weight:600}',
	'.type{fill:#626b76;text-anchor:end}',
	'.line{fill:none;stroke:#626b76}',
].join('')

/** Returns the diagram as an SVG file without scripts and without parts elsewhere. */
export function diagramFile(graph: SchemaGraph, layout: Layout, detail: Detail): string {
	const { width, height } = layout.size
	const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}"`
	const lines = linesOf(graph, layout, detail).map(({ path }) => `<path class="line" d="${path}"/>`)
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<svg xmlns="http://www.w3.org/2000/svg" ${size}>`,
		`<style>${style}</style>`,
		`<rect width="100%" height="100%" fill="#ffffff"/>`,
		...lines,
		...graph.tables.map(table => boxOf(table, layout, detail)),
		'</svg>',
		'',
	].join('\n')
}

function boxOf(table: DiagramTable, { boxes }: Layout, detail: Detail): string {
	const box = boxes.get(table.name)
	if (!box) return ''
	const { shown, left } = shownColumns(table, detail)
	const text = (y: number, words: string, { size = letters.line, kind = '' } = {}) => {
		const x = kind === 'type' ? box.width - inset : inset
		return `<text x="${x}" y="${y}" font-size="${size}"${kind && ` class="${kind}"`}>${escaped(words)}</text>`
	}
	const lines = shown.flatMap(({ column }, at) => {
		const y = headHeight + (at + 0.7) * lineHeight
		const room = box.width - 3 * inset - widthOf(column.name)
		const type = fitting(column.type, Math.max(room, box.width * 0.4))
		const name = fitting(column.name, box.width - 3 * inset - widthOf(type))
		return [text(y, name, column.isKey ? { kind: 'key' } : {}), text(y, type, { kind: 'type' })]
	})
	const rest = left === 0 ? [] : [text(headHeight + (shown.length + 0.7) * lineHeight, `and ${left} more`)]
	const rule =
		shown.length === 0 ? '' : `<line class="rule" x1="0" y1="${headHeight}" x2="${box.width}" y2="${headHeight}"/>`
	return [
		`<g transform="translate(${box.x} ${box.y})"${table.isOutside ? ' class="outside"' : ''}>`,
		`<title>${escaped(table.name)}</title>`,
		`<rect class="box" width="${box.width}" height="${box.height}" rx="6"/>`,
		text(20, fitting(table.title, box.width - 2 * inset, letters.head), { size: letters.head, kind: 'key' }),
		rule,
		...lines,
		...rest,
		'</g>',
	].join('')
}

const widthOf = (text: string, size = letters.line) => text.length * size * letterWidth

/** The middle of a long name tells less than its ends. */
function fitting(text: string, width: number, size = letters.line): string {
	const most = Math.max(3, Math.floor(width / (size * letterWidth)))
	if (text.length <= most) return text
	const end = Math.floor((most - 1) / 2)
	return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`
}

/** Characters that XML does not allow are left out. */
const escaped = (text: string) =>
	text
		.replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
