import { expect, test } from 'vitest'
import { type EncodedMethod, faultOfAnswer, wrongAnswer } from './answer-shape.ts'
import { parseJson } from './json.ts'

const column = { name: 'a', type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: true }
const page = {
	columns: [column, { ...column, name: 'b' }],
	rows: [
		{ id: '1', version: '7', cells: [null, { number: '9007199254740993' }] },
		{ id: '2', cells: [{ json: '[]' }], at: [1] },
	],
	total: { value: 2, isExact: true },
	tookMs: 1,
	notices: [],
}
const result = { status: 'OK', tookMs: 1, notices: [] }
const rows = { view: 'rows', columns: [column], rows: [[1]], isTruncated: false }

test.each<[EncodedMethod, unknown]>([
	['gridPage', page],
	['gridPage', parseJson(JSON.stringify({ ...page, tookMs: 0.1 }))],
	['openGrid', { ...page, rows: [] }],
	['describeTable', { name: 't', columns: page.columns }],
	['aggregate', { columns: [{ name: 'count', type: 'long' }], rows: [[3]], isTruncated: false, notices: [] }],
	['readRow', { id: '1', meta: {} }],
	['runConsole', { ...result, body: rows }],
	['runConsole', { ...result, body: { view: 'json' } }],
	['callTool', { content: [{ type: 'text', text: 'x' }] }],
	['callTool', { ask: {} }],
	['callTool', { missingCapability: {} }],
	['getPrompt', { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] }],
	['readResource', { contents: [{ uri: 'x://y', text: '' }] }],
])('%s accepts %j', (method, answer) => {
	expect(faultOfAnswer(method, answer)).toBeUndefined()
})

test.each<[EncodedMethod, unknown, string]>([
	['gridPage', undefined, 'gridPage: nothing is not an object'],
	['gridPage', [], 'gridPage: [] is not an object'],
	[
		'gridPage',
		{ ...page, rows: [page.rows[0], { id: '2', cells: [1] }] },
		'gridPage.rows[1].cells: 1 cells for 2 columns',
	],
	['gridPage', { ...page, rows: [{ id: '1' }] }, 'gridPage.rows[0].cells: nothing is not an array'],
	['gridPage', { ...page, rows: [{ ...page.rows[0], id: 1 }] }, 'gridPage.rows[0].id: 1 is not a string'],
	[
		'gridPage',
		{ ...page, rows: [{ id: '1', cells: [1, { big: 1 }] }] },
		'gridPage.rows[0].cells[1]: {"big":1} is not a cell: null, a boolean, a string, a number, {number}, {json}, {text, cutFrom}, {bytes}, {unread: true} or {missing: true}',
	],
	[
		'gridPage',
		{ ...page, rows: [{ id: '1', cells: [1], at: [2] }] },
		'gridPage.rows[0].at: 2 is the index of no column',
	],
	['gridPage', { ...page, rows: [{ id: '1', cells: [1], at: [0, 1] }] }, 'gridPage.rows[0].at: 2 columns for 1 cells'],
	['gridPage', { ...page, rows: [{ id: '1', cells: [1], at: 0 }] }, 'gridPage.rows[0].at: 0 is not an array'],
	['gridPage', { ...page, columns: [null] }, 'gridPage.columns[0]: null is not an object'],
	['gridPage', { ...page, total: 5 }, 'gridPage.total: 5 is not an object'],
	['openGrid', { ...page, notices: 'x' }, 'openGrid.notices: "x" is not an array'],
	[
		'describeTable',
		{ name: 't', columns: [{ ...column, kind: 'int' }] },
		'describeTable.columns[0].kind: "int" is none of text, number, boolean, date, json, binary, other',
	],
	['runConsole', { ...result, body: { view: 'grid' } }, 'runConsole.body.view: "grid" is none of rows, json, text'],
	[
		'runConsole',
		{ ...result, body: { ...rows, rows: [[1, 2]] } },
		'runConsole.body.rows[0].cells: 2 cells for 1 columns',
	],
	['callTool', { content: 'done' }, 'callTool.content: "done" is not an array'],
	['callTool', { content: [{}] }, 'callTool.content[0].type: nothing is not a string'],
	['readRow', { id: '1', meta: 'x'.repeat(60) }, `readRow.meta: "${'x'.repeat(39)}… is not an object`],
])('%s refuses %j', (method, answer, fault) => {
	expect(faultOfAnswer(method, answer)).toBe(fault)
})

test('the error of a call that may have written does not claim that nothing was changed', () => {
	expect(wrongAnswer('gridPage', 'x', 'pg')).toContain('The driver pg answered incorrectly. Nothing was changed.')
	expect(wrongAnswer('callTool', 'x', 'pg')).not.toContain('Nothing')
})
