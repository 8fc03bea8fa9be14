import { DriverError } from '@roundhouse/kit'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { z } from 'zod'
import { askerOf } from '../../protocol/asker.ts'
import { type ConnectionCall, defineConnectionTool } from '../framework/define-tool.ts'
import { type Shown, titleOf } from '../framework/showing.ts'
import { type Browsed, oneOf, rowsOrStatement } from './row-arguments.ts'
import { analyse } from './statement.ts'

const group = 'core'

export const openInWindow = defineConnectionTool({
	name: 'open_in_window',
	title: 'Show to the user',
	description: 'Offers rows or a statement to the user, who may open them in the window. Runs nothing.',
	access: 'read',
	group,
	effect: 'none',
	input: rowsOrStatement,
	output: { status: z.string() },
	run: async (args, context) => {
		const shown = await oneOf(args, {
			browse: browsed => tableShown(browsed, context),
			query: query => statementShown(query, context),
		})
		return offer(shown, group, context)
	},
})

/** Offers content to the user, who may look at it. @throws DriverError `denied` if that is not possible now */
export async function offer(
	shown: Shown,
	group: ToolGroup,
	{ call, connection, services }: ConnectionCall,
): Promise<{ readonly status: string }> {
	const { id, name } = connection
	const showing = { asker: askerOf(call), connection: { id, name }, title: titleOf(shown), shown }
	const requireAllowed = () => services.gate.requireAllowed(connection, call, { access: 'read', group })
	switch (await services.showDesk.offer(call.caller.grantee, showing, requireAllowed)) {
		case 'offered':
			return { status: 'Offered. The user sees it once they press Show.' }
		case 'unattended':
			throw new DriverError(
				'denied',
				'No Roundhouse window is open, and none could be opened. Ask the user to open it.',
			)
		case 'too_many':
			throw new DriverError(
				'denied',
				'Other clients wait to show something. Try again after the user has answered them.',
			)
	}
}

/** Checks the name of the table, so that the error goes to the model and not to the user. */
async function tableShown(
	{ table, filters, match, sort, raw = '' }: Browsed,
	{ call, open }: ConnectionCall,
): Promise<Shown> {
	await (await open()).call('describeTable', { table }, { signal: call.signal })
	const rows = filters.map(({ column, operator, values }) => ({ column, operator, text: textOf(operator, values) }))
	return { kind: 'table', table, filters: rows, match, sort, raw }
}

async function statementShown(query: string, { call, open }: ConnectionCall): Promise<Shown> {
	return { kind: 'statement', text: (await analyse(await open(), query, call)).text }
}

const lists: ReadonlySet<string> = new Set(['in', 'not_in', 'between'])

/**
 * Returns values as the user would type them.
 * @throws DriverError `invalid_argument` for values that cannot be typed
 */
function textOf(operator: string, values: readonly string[]): string {
	const isList = lists.has(operator)
	const cannot = isList ? values.some(value => value.includes(',') || value.trim() !== value) : values.length > 1
	if (!cannot) return values.join(', ')
	throw new DriverError(
		'invalid_argument',
		`browse.filters: the window cannot show these values of ${operator}. Use \`raw\`.`,
	)
}
