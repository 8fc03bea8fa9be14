import { type Completion, type CompletionResult, pickedCompletion, startCompletion } from '@codemirror/autocomplete'
import { StateEffect, StateField } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Completions } from '../../host/api/api.ts'

type Option = Completions['options'][number]

interface Typed {
	/** What the options replace. */
	readonly typed: string
	/** Whether the user asked for the list. */
	readonly isExplicit: boolean
}

/**
 * Returns the options that fit what is typed, in the order of the driver: those that begin with it, then those with a
 * part that does, then those that contain it. A list that opens without a request needs a beginning, and closes once a
 * word is complete.
 */
export function completionsFor({ from, options }: Completions, { typed, isExplicit }: Typed): CompletionResult | null {
	const word = typed.toLowerCase()
	const places = new Map(options.map(option => [option, option.label.toLowerCase().indexOf(word)]))
	const begins = (option: Option) => places.get(option) === 0 || option.label.toLowerCase().startsWith(`_${word}`)
	const contains = (option: Option) => isKnownByParts(option) && places.get(option) !== -1
	/** `ord` is the beginning of the name in `shop.orders`, and not of that in `shop.open_orders`. */
	const isPart = ({ label }: Option) => label.toLowerCase().includes(`.${word}`)
	const parts = options.filter(option => !begins(option) && (contains(option) || isPart(option)))
	const fitting = [...options.filter(begins), ...parts.filter(isPart), ...parts.filter(option => !isPart(option))]
	const shown = [...fitting.filter(isCurrent), ...fitting.filter(option => !isCurrent(option))]
	const isComplete = shown.some(({ label, insert = label }) => insert.toLowerCase() === word)
	if (shown.length === 0 || (isComplete && !isExplicit)) return null
	const matched = new Map<Completion, readonly number[]>()
	const [first] = shown
	const isMeant = (option: Option) => (word === '' ? option.isCertain === true : begins(option) || isPart(option))
	for (const option of shown) {
		const place = places.get(option) ?? 0
		const isCertain = option === first && isMeant(option)
		matched.set(completionOf(option, isCertain), word === '' ? [] : [place, place + word.length])
	}
	return { from, options: [...matched.keys()], filter: false, getMatch: option => matched.get(option) ?? [] }
}

const isCurrent = ({ isDeprecated }: Option) => !isDeprecated
const isKnownByParts = ({ kind }: Option) => kind === 'table' || kind === 'column'

/**
 * A driver's completion option in the editor. Its description and link are shown beside the list.
 * @param isCertain Enter accepts it
 */
function completionOf(option: Option, isCertain: boolean): Completion {
	const { label, kind, detail, info, url, isDeprecated } = option
	return {
		label,
		type: [kind, ...(isDeprecated ? ['deprecated'] : []), ...(isCertain ? ['certain'] : [])].join(' '),
		...(detail !== undefined && { detail }),
		apply: inserting(option),
		...((info !== undefined || url !== undefined || isDeprecated) && {
			info: () => explanation({ info, url, isDeprecated }),
		}),
	}
}

const opened = StateEffect.define<number>()
/** The cursor after an accepted option, until something else changes. */
const openedAt = StateField.define<number | undefined>({
	create: () => undefined,
	update(before, transaction) {
		const effect = transaction.effects.find(one => one.is(opened))
		if (effect) return effect.value
		return transaction.docChanged || transaction.selection ? undefined : before
	},
})

/** An accepted option opens the quotes or braces of its value. A user who types the opening one, too, does not double it. */
export const openedOnce = [
	openedAt,
	EditorView.inputHandler.of((view, from, to, text) => {
		const { doc } = view.state
		const isOpen = from === to && from === view.state.field(openedAt)
		if (!isOpen || (text !== '"' && text !== '{') || doc.sliceString(from - 1, from) !== text) return false
		if (doc.sliceString(from, from + 1) !== (text === '"' ? '"' : '}')) return false
		view.dispatch({ selection: { anchor: from } })
		return true
	}),
]

/** Inserts an option. Between its quotes or brackets the list opens again, where Enter begins a line all the same. */
function inserting({ label, insert = label, cursor = insert.length, replacesAfter = 0 }: Option) {
	return (view: EditorView, picked: Completion, from: number, end: number) => {
		const to = Math.min(end + replacesAfter, view.state.doc.length)
		view.dispatch({
			changes: { from, to, insert },
			selection: { anchor: from + Math.min(cursor, insert.length) },
			annotations: pickedCompletion.of(picked),
			effects: opened.of(from + cursor),
			userEvent: 'input.complete',
			scrollIntoView: true,
		})
		if (cursor < insert.length) startCompletion(view)
	}
}

/** CSS class of the option in the list. */
export function optionClass({ type }: Completion): string {
	const marks = type?.split(' ').slice(1) ?? []
	return marks.map(mark => `cm-${mark}`).join(' ')
}

/** Whether Enter accepts an option: the first one, if its name begins with what is typed, or the driver is certain. */
export const isCertain = ({ type }: Completion): boolean => type?.split(' ').includes('certain') === true

function explanation({ info, url, isDeprecated }: { [Name in 'info' | 'url' | 'isDeprecated']: Option[Name] }): Node {
	const root = document.createElement('div')
	if (isDeprecated) root.append(paragraph('Deprecated.'))
	if (info !== undefined) root.append(paragraph(info))
	if (url !== undefined) {
		const link = document.createElement('a')
		Object.assign(link, { href: url, target: '_blank', rel: 'noreferrer', textContent: 'Documentation' })
		root.append(link)
	}
	return root
}

function paragraph(text: string): HTMLElement {
	const found = document.createElement('p')
	found.textContent = text
	return found
}

/** Returns a pattern of what opens the list at once. A word needs a blank behind it. */
export function behindAny(beginnings: readonly string[]): RegExp {
	const patterns = beginnings.map(text => (/^\w+$/.test(text) ? `\\b${text}\\s+` : RegExp.escape(text)))
	return new RegExp(patterns.length === 0 ? '$^' : `(?:${patterns.join('|')})$`, 'i')
}
