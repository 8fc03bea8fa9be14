import type { Completions } from '@roundhouse/kit'
import type { CatalogNames, CompletionCatalog } from './catalog.ts'
import type { CompletionContext } from './context.ts'
import { type CompletionDialect, contextAt } from './context-at.ts'
import { type Option, Ranking } from './rank.ts'

/** An engine, for completion. */
export interface Completing {
	readonly dialect: CompletionDialect
	readonly names: CatalogNames
}

/** A star that stands for columns, and no product or count. */
const star = /(?:\b(?:select|distinct|all|returning)\s|,\s*|\.)\s*\*$/i

/** The host refuses a longer list. */
const mostOptions = 1_000

/** Completes a text at an offset. */
export async function complete(
	text: string,
	offset: number,
	{ dialect, names, catalog }: Completing & { readonly catalog: CompletionCatalog },
): Promise<Completions> {
	const ranking = new Ranking({ names, catalog, foldsNames: dialect.foldsNames })
	if (star.test(text.slice(0, offset))) {
		const place = contextAt(text.slice(0, offset - 1) + text.slice(offset), offset - 1, dialect)
		const columns = place.kind === 'expression' && !place.isText ? await ranking.starColumns(place) : ''
		const label = `* ${columns}`
		return {
			from: offset - 1,
			options: columns === '' ? [] : [{ label, kind: 'column', detail: 'all columns', insert: columns }],
		}
	}
	const place = contextAt(text, offset, dialect)
	const typed = text.slice(place.start, offset)
	const found = await ranking.options(place, typed)
	const written = asTyped(place, found, dialect)
	const closed = written.map(option => withBrackets(option, text[offset + place.after] === '('))
	const replaced = place.after > 0 ? closed.map(option => ({ ...option, replacesAfter: place.after })) : closed
	return { from: place.start, options: fewEnough(replaced, typed) }
}

/** Returns options in the quotes that are typed, so that the list still matches behind the opening one. */
function asTyped(
	{ quote, isText }: CompletionContext,
	options: readonly Option[],
	{ quotes }: CompletionDialect,
): readonly Option[] {
	if (quote === undefined) return options
	const closing = quotes[quote] ?? quote
	if (isText)
		return options.map(({ label, ...option }) => {
			const text = label.slice(1, -1)
			// A literal of the engine has single quotes.
			const written = quote === "'" ? label : `"${text.replaceAll("''", "'").replaceAll('"', '""')}"`
			return { ...option, label: written }
		})
	return options
		.filter(option => option.name !== undefined)
		.map(({ insert, ...option }) => {
			const name = inQuote(option.name ?? '', quote, closing)
			return { ...option, label: name, insert: name }
		})
}

/** Closes the bracket of a function, with the caret in it; leaves the bracket out that is behind the name already. */
function withBrackets(option: Option, isOpen: boolean): Option {
	const { kind, insert } = option
	if (kind !== 'function' || !insert?.endsWith('(')) return option
	return isOpen
		? { ...option, insert: insert.slice(0, -1) }
		: { ...option, insert: `${insert})`, cursor: insert.length }
}

/** Returns a name in the quotes that are typed. */
export const inQuote = (name: string, quote: string, closing: string): string =>
	`${quote}${name.replaceAll(closing, closing + closing)}${closing}`

/** Functions are most of a long list, and keywords come behind them. */
function fewEnough(options: readonly Option[], typed: string): Completions['options'] {
	const word = typed.toLowerCase()
	const fitting =
		options.length > mostOptions ? options.filter(({ label }) => label.toLowerCase().includes(word)) : options
	const others = fitting.filter(({ kind }) => kind !== 'function')
	const room = Math.max(0, mostOptions - others.length)
	let count = 0
	const few =
		fitting.length > mostOptions ? fitting.filter(({ kind }) => kind !== 'function' || count++ < room) : fitting
	return few.slice(0, mostOptions).map(({ name, ...option }) => option)
}
