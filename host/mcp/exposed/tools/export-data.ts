import { join } from 'node:path'
import { denseCells, exportFormats } from '@roundhouse/kit'
import { z } from 'zod'
import { plainFileName } from '../../../../base/file-name.ts'
import type { ExportFile } from '../../../exports/export-file.ts'
import { stemOf } from '../../../exports/export-file.ts'
import { mayReadResources } from '../../access/authorization.ts'
import type { ClientSession } from '../../access/client-session.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import type { McpCall } from '../../protocol/method.ts'
import { namedInSentence } from '../../protocol/printable.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { formatUri } from '../resources/uri.ts'
import { rowsText } from './engine-text.ts'
import { shownNotices } from './notices.ts'
import { noticesOutput, rowSetOutput } from './outputs.ts'
import { browseArgument, gridQueryOf } from './row-arguments.ts'
import { rowSet } from './row-set.ts'
import { placesOf } from './rows.ts'

/** Rows that the model gets as a sample of the file. */
const shownRows = 3
const shownRoom = { limits: { bytes: 8_000, cell: 200 }, columnBytes: 4_000 }

export const exportData = defineConnectionTool({
	name: 'export_data',
	title: 'Export rows',
	description: 'Writes rows to a file; asks the user.',
	access: 'read',
	group: 'core',
	effect: 'adds',
	input: {
		browse: browseArgument,
		format: z.enum(exportFormats).optional().describe('Else csv'),
		file_name: z.string().min(1).optional().describe('Without a path'),
	},
	output: {
		path: z.string(),
		uri: z.string().optional(),
		exported: z.number(),
		bytes: z.number(),
		columns: rowSetOutput.columns,
		first_rows: rowSetOutput.rows,
		notices: noticesOutput,
	},
	summary: ({ path, exported, bytes, uri }) =>
		`${rowsText(Number(exported))}, ${count(bytes)} bytes, are in ${String(path)}${uri === undefined ? '' : `, to read at ${String(uri)}`}`,
	run: async ({ browse, format = 'csv', file_name: name }, context) => {
		const { table, columns, max_rows: limit } = browse
		const { call, connection, round, services, open } = context
		const stem = stemOf(name ?? (plainFileName(table).slice(0, 60) || 'export'), format)
		const folder = await services.exports.path()
		const session = await open()
		const hidden = services.gate.hiddenMarks(connection.id)
		const query = gridQueryOf(browse)
		const {
			total,
			notices: noticesOfRows,
			hasJson,
			...shown
		} = await firstRows(session, { query, wanted: columns }, call)
		const driver = services.drivers.installed().find(({ id }) => id === connection.driverId)
		const notices = [
			...noticesOfRows,
			...(hasJson && driver?.hasJsonNull && format !== 'csv' ? [oneNullNotice] : []),
			...(driver?.removesFields && format === 'csv' ? [noMissingNotice] : []),
		]
		const options = {
			format,
			...(columns && { columns }),
			...(limit !== undefined && { limit }),
			// A CSV is mostly opened in a spreadsheet, where untrusted rows could contain formulas.
			...(format === 'csv' && { guardFormulas: true }),
		}
		const value = Math.min(total.value, limit ?? total.value)
		const isCertain = total.isExact || value === limit
		const question = services.exports.asks
			? await services.consent.settle(
					{
						connection,
						access: 'read',
						summary: `Export ${namedInSentence(table)} as ${format}`,
						statement: [join(folder, `${stem}.${format}`), ...linesOf({ ...query, ...options })].join('\n'),
						...(isCertain && { grant: { target: `exports of ${namedInSentence(table)}`, rows: value } }),
						estimate: () => ({
							affects: value === total.value ? total : { value, isExact: total.isExact },
							scope: table,
						}),
					},
					round,
				)
			: undefined
		if (question) return question
		await using file = await services.exports.begin(folder)
		const handle = await session.call('openExport', { query, options }, { signal: call.signal })
		const exported = await copy(session, { handle, file }, call)
		const kept = await file.keepAs(stem, format)
		const { grantee } = call.caller
		const id = services.clientExports.add({
			connectionId: connection.id,
			grantee,
			file: kept,
			mimeType: mimeTypes[format],
			hidden,
		})
		const uri = formatUri({ kind: 'export', connectionId: connection.id, id, from: 0 })
		return {
			path: kept.path,
			...(mayReadResources(call.caller) && { uri }),
			exported,
			bytes: kept.bytes,
			...shown,
			...(notices.length > 0 && { notices }),
		}
	},
})

/** RFC 4180, RFC 8259; NDJSON has no registered type. */
const mimeTypes = { csv: 'text/csv', json: 'application/json', ndjson: 'application/x-ndjson' } as const

const oneNullNotice =
	'JSON has one null, so NULL and a null in a column of JSON are the same in the file. CSV keeps them apart.'

const noMissingNotice = 'In CSV, null and an absent value are both empty. NDJSON and JSON keep them apart.'

/** Returns one line for each argument that is set. */
function linesOf(asked: object): readonly string[] {
	const named = Object.entries(asked).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
	return named.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
}

async function firstRows(
	session: ClientSession,
	{ query, wanted }: { readonly query: ReturnType<typeof gridQueryOf>; readonly wanted: readonly string[] | undefined },
	{ signal }: McpCall,
) {
	const page = decodeAnswer('openGrid', await session.readRows(query, { offset: 0, limit: shownRows }, signal), session)
	const places = placesOf(wanted, page.columns)
	const cells = page.rows.map(row => denseCells(row, page.columns.length))
	const set = rowSet(
		places.flatMap(at => page.columns[at] ?? []),
		cells.map(row => places.map(at => row[at] ?? null)),
		shownRoom,
	)
	const { columns = [], columns_total, rows: first_rows = [], cut_cells } = set
	return {
		total: page.total,
		notices: shownNotices(page.notices),
		columns,
		first_rows,
		hasJson: places.some(at => page.columns[at]?.kind === 'json'),
		// Not in the schema, which costs tokens in each conversation.
		...(columns_total !== undefined && { columns_total, columns_hint: 'The file has all columns.' }),
		...(cut_cells !== undefined && { cut_cells }),
	}
}

/** Copies the export to the file. @returns the number of rows */
async function copy(
	session: ClientSession,
	{ handle, file }: { readonly handle: number; readonly file: ExportFile },
	call: McpCall,
): Promise<number> {
	let rows = 0
	const onProgress = ({ done, total }: { readonly done: number; readonly total?: number }) => {
		rows = done
		call.progress({ progress: done, ...(total !== undefined && { total }), message: 'Rows exported' })
	}
	try {
		for (;;) {
			const piece = await session.call('readExport', { export: handle }, { signal: call.signal, onProgress })
			call.signal.throwIfAborted()
			if (!piece) return rows
			await file.write(piece)
		}
	} finally {
		await session.closeExport(handle)
	}
}

const count = (value: unknown) => Number(value).toLocaleString('en')
