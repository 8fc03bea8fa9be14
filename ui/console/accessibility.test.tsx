import { beforeEach, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type { ConsoleResult, ResultOf } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeManifest } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseMore } from '../testing/menu.ts'

/** axe finds no violation in any state of a console, its answers and its saved requests, in both themes. */

let window: FakeWindow
let panel: ConsolePanel
let file: ResultOf<'requests.read'> | undefined

const columns = { level: {}, count: { kind: 'number' } } as const
const levels = [
	['info', 3],
	['error', 1],
] as const

function run(text: string): Partial<ConsoleResult> {
	const fault = { code: 'query_failed', message: 'There is no table nowhere.', at: 14 } as const
	if (text.includes('nowhere')) return { status: 'Failed', fault }
	if (text.startsWith('show')) return { body: { view: 'json', json: '{"hits":[{"id":"1"}],"took":1}' } }
	if (!text.includes('levels')) return { body: rowsBody(columns, levels) }
	const chart = { by: 'level', isTime: false, values: ['count'] }
	return { body: rowsBody(columns, levels, { totals: [{ name: 'most', value: 12 }], chart }) }
}

beforeEach(async () => {
	file = undefined
	window = await openWindow({
		tables: [fakeBooks()],
		connection: { safeMode: 'ask', isProduction: true },
		manifest: { console: { ...fakeManifest().console, noun: { one: 'statement', many: 'statements' } } },
		answers: {
			...consoleAnswers({ run, destroys: () => 'All rows of places.' }),
			'requests.list': () => ({ requests: file ? [file] : [] }),
			'requests.add': ({ name, text }) => {
				if (name.endsWith('/')) throw new Error('A name does not end with a slash.')
				file = { place: 'own', path: `${name}.sql`, name: name.replace(/.*\//, ''), text, version: '1' }
				window.host.emit('requests.changed', null)
				return file
			},
			'requests.read': () => file ?? expect.unreachable(),
			'offers.look': () => ({ text: 'select {{index}}', version: '1', names: ['index'], access: 'read' }),
		},
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const seen = (locator: Locator) => expect.element(locator.first()).toBeVisible()
const dialog = () => page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
const article = (name: string) => panel.root.getByRole('article', { name })
const saved = () => page.getByRole('list', { name: 'Saved statements' })

async function save(name: string): Promise<void> {
	await panel.write('select 1')
	await press('ControlOrMeta+Shift+s')
	await dialog().getByLabelText('Name').fill(name)
	await press('Enter')
}
async function saveFile(): Promise<void> {
	await save('reports/What is there')
	await expect.poll(() => document.querySelector('[role=dialog], .app[aria-hidden]')).toBeNull()
	await seen(saved().getByText('What is there'))
}

test.for([
	[
		'answers as rows and JSON, an error, and what was not run',
		async () => {
			await panel.write('select 1; show health; select nowhere; select 2')
			await press('ControlOrMeta+Shift+Enter')
			await seen(panel.root.getByText('1 of 4 not run'))
		},
	],
	[
		'the history',
		async () => {
			await panel.run('select 1')
			await button('History').click()
			await seen(dialog().getByRole('option'))
		},
	],
	[
		'a name of a saved request that is refused',
		async () => {
			await save('reports//')
			await seen(dialog().getByRole('alert'))
		},
	],
	['saved requests beside a console', saveFile],
	[
		'the variables of a connection',
		async () => {
			await chooseMore(panel.root, 'Variables')
			await dialog().getByLabelText('Name of variable 1').fill('index')
		},
	],
	[
		'a saved request that was changed on disk',
		async () => {
			await saveFile()
			await page.getByRole('textbox', { name: 'Console' }).click()
			await type('select 2')
			window.host.fail('requests.write', 'It was changed.', 'request/changed')
			if (file) file = { ...file, text: 'select 3', version: '2' }
			await press('ControlOrMeta+s')
			await seen(dialog().getByText('select 3'))
		},
	],
	[
		'the offer of a request to AI clients',
		async () => {
			await saveFile()
			await saved().getByText('What is there').click({ button: 'right' })
			await page.getByRole('menuitem', { name: 'Offer to AI' }).click()
			await dialog().getByLabelText('Type').selectOptions('One of a list')
		},
	],
	[
		'a console that is renamed',
		async () => {
			await page.getByRole('tab', { name: 'Console' }).dblClick()
			await seen(page.getByRole('textbox', { name: 'Name of Console' }))
		},
	],
	['an answer as JSON', () => panel.run('show health')],
	[
		'an answer as a chart, with values over all rows',
		async () => {
			await panel.run('select levels')
			await seen(article('select levels').getByRole('region', { name: 'Over all rows' }))
			await article('select levels').getByText('Chart', { exact: true }).click()
			await seen(article('select levels').getByRole('img'))
		},
	],
	[
		'statements that wait for consent',
		async () => {
			await panel.write('drop table places')
			await press('ControlOrMeta+Enter')
			await seen(dialog().getByText('All rows of places.'))
		},
	],
] as const)('%s: no violation', async ([, show]) => {
	await show()
	expect(await violations()).toEqual([])
})
