import { randomBytes } from 'node:crypto'
import type { DefinedColumn, TableChange, TableDefinition } from '@roundhouse/kit'
import { DoesNotApply, type Report } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { onlyStatement, run } from './statements.ts'

/** The form of tables: a table that it makes and changes is read as it was asked for. */
export async function checkTableForm(lab: Lab, report: Report): Promise<void> {
	if (!lab.subject.manifest.hasTableForm) throw new DoesNotApply('It has no form of tables.')
	const [beside] = await lab.call('listTables', {})
	const { definition, types, defaults, keys } = await lab.call('readTableForm', { place: { path: beside?.path ?? [] } })
	const [numbered, usual = numbered] = types
	const [byNumber] = defaults
	if (numbered === undefined || usual === undefined || byNumber === undefined)
		return report('readTableForm', 'It suggests no type or no default, so no table is made.')
	if (definition.columns.length > 0) report('readTableForm', 'A new table has columns already.')

	const column = (name: string, type: string): DefinedColumn => ({ id: `new ${name}`, name, type, isNotNull: false })
	const id = { ...column('id', numbered), isNotNull: true, default: byNumber }
	const made: TableDefinition = {
		...definition,
		name: `roundhouse_check_${randomBytes(4).toString('hex')}`,
		columns: [id, column('amount', usual)],
		keys: keys.includes('primary') ? [{ id: 'new key', name: '', kind: 'primary', columns: [id.id] }] : [],
		indexes: [],
	}
	await apply(lab, { after: made })
	const before = await readMade(lab, made, report)
	if (!before) return
	const first = before.columns[0]
	const after: TableDefinition = {
		...before,
		columns: [
			...before.columns.map(one => (one === first ? one : { ...one, name: 'total', isNotNull: true })),
			column('note', usual),
		],
	}
	await apply(lab, { before, after })
	const read = await readMade(lab, after, report)
	if (!read) return
	const none = await lab.call('tableStatements', { change: { before: read, after: read } })
	if (none.length > 0) report('tableStatements', 'An unchanged table has statements.')
}

async function apply(lab: Lab, change: TableChange): Promise<void> {
	for (const text of await lab.call('tableStatements', { change }))
		await run(lab, await onlyStatement(lab, text), { maxRows: 1 })
}

/** Reads a table again and compares its columns, and the columns of its keys, by their names. */
async function readMade(lab: Lab, made: TableDefinition, report: Report): Promise<TableDefinition | undefined> {
	const listed = (await lab.call('listTables', {})).find(({ name, title = name }) => title === made.name)
	if (!listed) {
		report('listTables', `The table ${made.name} that the form has made is not listed.`)
		return undefined
	}
	const { definition } = await lab.call('readTableForm', { place: { table: listed.name } })
	const [wanted, read] = [comparable(made), comparable(definition)]
	if (wanted !== read) report('readTableForm', `A table is made as ${wanted} and read as ${read}.`)
	return definition
}

function comparable({ name, columns, keys }: TableDefinition): string {
	const names = new Map(columns.map(column => [column.id, column.name]))
	return JSON.stringify({
		name,
		columns: columns.map(column => [column.name, column.type, column.isNotNull, column.default ?? '']),
		keys: keys.map(key => [key.kind, ...key.columns.map(id => names.get(id) ?? '')]),
	})
}
