import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import type { McpCall } from '../protocol/method.ts'
import type { InputRequired } from '../protocol/outcome.ts'
import { outgoingText } from '../protocol/outgoing-text.ts'
import { printable } from '../protocol/printable.ts'
import type { ShownStatement } from './question.ts'

/** An empty declaration means forms; a client that only opens URLs cannot show one. */
export function canElicit({ era, clientCapabilities }: McpCall): boolean {
	const { elicitation } = clientCapabilities
	if (era !== 'modern' || !isJsonObject(elicitation)) return false
	return Object.keys(elicitation).length === 0 || elicitation.form !== undefined
}

/** `approved` must be the boolean: a missing or a truthy one is no consent. */
export function isApproval({ action, content }: JsonObject): boolean {
	return action === 'accept' && isJsonObject(content) && content.approved === true
}

/** Longer statements lose their middle in the question; the window shows them whole. */
const shownAtTheStart = 3000
const shownAtTheEnd = 1000

/** What a client may show of a statement: its end too, because that is where something could be hidden. */
function excerptOf(shown: string): string {
	const left = shown.length - shownAtTheStart - shownAtTheEnd
	if (left <= 0) return shown
	const [start, end] = [shown.slice(0, shownAtTheStart), shown.slice(-shownAtTheEnd)]
	return `${start}\n… ${left} characters are left out here …\n${end}`
}

/** What will be gone, before anything else is read. */
function lossesOf({ destroys, access }: ShownStatement): readonly string[] {
	return [
		...(destroys !== undefined ? [`It destroys: ${outgoingText(destroys)}.`] : []),
		...(access === 'destructive' && destroys === undefined ? ['It destroys data.'] : []),
		...(access === 'destructive' ? ['This cannot be undone.'] : []),
	]
}

function extentOf({ affects, access }: ShownStatement): readonly string[] {
	if (!affects) return []
	const count = `${affects.isExact ? '' : 'at least '}${affects.value.toLocaleString('en')}`
	return [`It ${access === 'read' ? 'reads' : 'affects'} ${count} ${affects.value === 1 ? 'row' : 'rows'}.`]
}

/** The question as a client's form (contract, "`input_required` result"). */
export function elicitation(question: ShownStatement): InputRequired['inputRequests'][string] {
	const { connection, summary } = question
	const shown = excerptOf(question.shown)
	const headline = [
		...lossesOf(question),
		`Run this on "${printable(connection.name)}"? ${printable(summary)}.`,
		...extentOf(question),
	].join(' ')
	return {
		method: 'elicitation/create',
		params: {
			mode: 'form',
			message: `${headline}\n\n${shown}`,
			requestedSchema: {
				type: 'object',
				properties: {
					approved: { type: 'boolean', title: 'Run it', description: shown },
				},
				required: ['approved'],
			},
		},
	}
}
