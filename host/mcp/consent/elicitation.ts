import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { quote } from '../protocol/attributed.ts'
import type { McpCall } from '../protocol/method.ts'
import type { InputRequired } from '../protocol/outcome.ts'
import { outgoingText } from '../protocol/outgoing-text.ts'
import { printable } from '../protocol/printable.ts'
import { effectSentence, rowLines } from './effect-words.ts'
import type { ShownStatement } from './question.ts'

/** Whether a client can show a form. An empty declaration means forms; a client may support only URLs. */
export function canElicit({ era, clientCapabilities }: McpCall): boolean {
	const { elicitation } = clientCapabilities
	if (era !== 'modern' || !isJsonObject(elicitation)) return false
	return Object.keys(elicitation).length === 0 || elicitation.form !== undefined
}

/** The contract asks for a description beside the title of the form's one field. */
const approvalDescription = 'Yes runs the statement as shown. No runs nothing.'

/** Returns why an answer is no approval, or `undefined` if it is one. `approved` must be `true`, no other truthy value. */
export function refusalIn({ action, content }: JsonObject): string | undefined {
	const approved = isJsonObject(content) ? content.approved : undefined
	if (action === 'accept' && approved === true) return undefined
	if (action === 'decline' || (action === 'accept' && approved === false)) return 'The user refused.'
	if (action === 'cancel') return 'The user closed the question without an answer. Nothing was run.'
	return 'The client sent no answer of the user: `action` is "accept", "decline" or "cancel", and with "accept" `content` has `approved`. Nothing was run.'
}

const longestReason = 300

/** Returns the data loss, which is shown first. */
function lossesOf(question: ShownStatement): readonly string[] {
	const { destroys, access, reason, isUndetermined, effect, mayUndo } = question
	const end = mayUndo ? 'It may not be possible to undo this.' : 'This cannot be undone.'
	const lasting = access === 'destructive' ? [end] : []
	// What a rehearsal did is no claim of a planner or of the client.
	if (effect) return [outgoingText(effectSentence(effect)), ...lasting]
	return [
		...(destroys !== undefined ? [`It destroys: ${outgoingText(destroys)}.`] : []),
		...(access === 'destructive' && destroys === undefined ? ['It destroys data.'] : []),
		...(reason !== undefined ? [`The driver says: ${quote(reason, longestReason)}`] : []),
		...(isUndetermined && access === 'write' ? ['What this destroys could not be determined.'] : []),
		...lasting,
	]
}

function extentOf({ affects, access }: ShownStatement): readonly string[] {
	if (!affects) return []
	const bound = affects.isExact ? '' : affects.bound === 'about' ? 'about ' : 'at least '
	const count = `${bound}${affects.value.toLocaleString('en')}`
	return [`It ${access === 'read' ? 'reads' : 'affects'} ${count} ${affects.value === 1 ? 'row' : 'rows'}.`]
}

/** Returns the question as a form for the client (contract, "`input_required` result"). The text is sent once. */
export function elicitation(question: ShownStatement, text: string): InputRequired['inputRequests'][string] {
	const { connection, summary, effect, replaced } = question
	const shown = effect?.tables ?? (replaced ? [replaced] : [])
	const rows = outgoingText(rowLines(shown))
	const headline = [
		...lossesOf(question),
		`Run this on "${printable(connection.name)}"? ${printable(summary)}.`,
		...extentOf(question),
	].join(' ')
	return {
		method: 'elicitation/create',
		params: {
			mode: 'form',
			message: [headline, text, rows].filter(part => part !== '').join('\n\n'),
			requestedSchema: {
				type: 'object',
				properties: { approved: { type: 'boolean', title: 'Run it', description: approvalDescription } },
				required: ['approved'],
			},
		},
	}
}
