import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writePrivateFile } from '../../../base/atomic-file.ts'
import { SampleWindow } from '../../support/window.ts'

/**
 * Requests as plain files: saving, finding, changes by another program, variables, curl in both directions, and
 * formatting. Files are replaced as a whole, as Git does: the window may list them at any moment.
 */
describe('saved requests', () => {
	let window: SampleWindow
	let connection = ''
	let folder = ''
	let shared = ''
	const page = () => window.page
	const press = (keys: string) => page().keyboard.press(keys)
	const tab = (name: string) => page().getByRole('tab', { name, exact: true })
	const panel = () => page().getByRole('tabpanel').filter({ visible: true })
	const editor = () => panel().getByRole('textbox', { name: 'Console' })
	const text = async () =>
		(await panel().getByRole('textbox', { name: 'Console' }).locator('.cm-line').allInnerTexts())
			.join('\n')
			.replaceAll('\u200b', '')
			.trim()
	const runs = () => panel().getByRole('article')
	const sheet = (name: string | RegExp) => page().getByRole('dialog', { name })
	const list = () => page().getByRole('list', { name: 'Saved requests' })
	const message = (words: string) => page().getByRole('region', { name: 'Messages' }).getByText(words)

	beforeAll(async () => {
		window = await SampleWindow.open()
		await page().context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await page().getByRole('list', { name: 'Indices' }).getByRole('button').first().waitFor()
		await page().getByRole('button', { name: 'Console', exact: true }).click()
		await editor().waitFor()
		const [saved] = await window.roundhouse.json<{ id: string }[]>(['connection', 'list'])
		connection = saved?.id ?? ''
		folder = join(window.roundhouse.home, 'requests', connection)
		shared = join(window.roundhouse.home, '..', `${window.roundhouse.home.split('/').at(-1)}-repository`)
		await mkdir(shared)
		window.roundhouse.onDispose(() => void rm(shared, { recursive: true }))
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	async function write(text: string): Promise<void> {
		await editor().click()
		await press('ControlOrMeta+a')
		await press('Delete')
		await page().keyboard.insertText(text)
	}

	test('a request is saved under a name in a folder, and listed in the sidebar', async () => {
		await write('GET /books/_search\n{ "size": 1 }')
		await press('ControlOrMeta+Shift+s')
		await sheet('Save the request').getByLabel('Name').fill('reports/One book: the first')
		await press('Enter')
		await message('Saved One book: the first.').waitFor()
		await tab('One book: the first').waitFor()
		expect(await readdir(join(folder, 'reports'))).toEqual(['One book- the first.es'])
		expect(await readFile(join(folder, 'reports', 'One book- the first.es'), 'utf8')).toBe(
			'# name: One book: the first\nGET /books/_search\n{ "size": 1 }\n',
		)
		await list().getByRole('button', { name: 'One book: the first' }).waitFor()
		await list().getByRole('button', { name: 'reports' }).click()
		await list().getByRole('button', { name: 'One book: the first' }).waitFor({ state: 'detached' })
		await list().getByRole('button', { name: 'reports' }).click()
		await write('GET /books/_search\n{ "size": 2 }')
		await panel().getByText('· not saved').waitFor()
		await press('ControlOrMeta+s')
		await panel().getByText('· not saved').waitFor({ state: 'detached' })
		expect(await readFile(join(folder, 'reports', 'One book- the first.es'), 'utf8')).toContain('"size": 2')
	})

	test('a text for the console is not appended to a saved request', async () => {
		await page().locator('.tables-head').getByRole('button', { name: 'Overview' }).click()
		await page()
			.getByRole('button', { name: /open the request in the console/ })
			.first()
			.click()
		await tab('Console 2').waitFor()
		expect(await text()).toContain('GET')
		for (const _ of ['console', 'overview']) {
			await press('ControlOrMeta+k')
			await press('w')
		}
		await expect.poll(text).toBe('GET /books/_search\n{ "size": 2 }')
	})

	test('a file that was changed on disk is shown when it is opened again; if both changed, the user decides', async () => {
		const file = join(folder, 'reports', 'One book- the first.es')
		const open = () => list().getByRole('button', { name: 'One book: the first' }).click()
		await writePrivateFile(file, '# name: One book: the first\nGET /from-git\n')
		await open()
		await expect.poll(text).toBe('GET /from-git')
		await write('GET /mine')
		await writePrivateFile(file, '# name: One book: the first\nGET /from-git-again\n')
		await press('ControlOrMeta+s')
		const asked = sheet('One book: the first was changed on disk')
		await asked.getByText('GET /from-git-again').waitFor()
		await asked.getByRole('button', { name: 'Do not save' }).click()
		expect(await readFile(file, 'utf8')).toContain('/from-git-again')
		await open()
		await asked.getByRole('button', { name: 'Load the file' }).click()
		await expect.poll(text).toBe('GET /from-git-again')
		await write('GET /mine')
		await writePrivateFile(file, 'GET /third\n')
		await press('ControlOrMeta+s')
		await asked
			.or(sheet(/was changed on disk$/))
			.first()
			.getByRole('button', { name: 'Overwrite with mine' })
			.click()
		await expect.poll(() => readFile(file, 'utf8')).toContain('GET /mine\n')
		await expect.poll(text).toBe('GET /mine')
	})

	test('saving again before the first save is answered causes no conflict', async () => {
		const file = join(folder, 'reports', 'One book- the first.es')
		await editor().click()
		await page().evaluate(`(async () => {
			const inConsole = part => document.querySelector('[role=tabpanel]:not(.hidden) ' + part)
			for (const text of [' ', 'X', 'Y', 'Z']) {
				inConsole('.cm-content').focus()
				document.execCommand('insertText', false, text)
				await new Promise(resolve => setTimeout(resolve))
				inConsole('button[aria-label="Save"]').click()
			}
		})()`)
		await expect.poll(() => readFile(file, 'utf8')).toContain('XYZ')
		await panel().getByText('· not saved').waitFor({ state: 'detached' })
		expect(await sheet(/was changed on disk$/).count()).toBe(0)
		await write('GET /mine')
		await press('ControlOrMeta+s')
		await panel().getByText('· not saved').waitFor({ state: 'detached' })
	})

	test('Ctrl+P finds a saved request, also after its tab was closed; it can be renamed, deleted and restored', async () => {
		await press('ControlOrMeta+k')
		await press('w')
		await press('ControlOrMeta+p')
		await page().keyboard.type('rep one')
		await press('Enter')
		await expect.poll(text).toBe('GET /mine')
		await list()
			.getByRole('button', { name: /One book/ })
			.click({ button: 'right' })
		await page().getByRole('menuitem', { name: 'Rename or move' }).click()
		await sheet(/^Rename/)
			.getByLabel('Name')
			.fill('../escaped')
		await press('Enter')
		await sheet(/^Rename/)
			.getByRole('alert')
			.getByText('cannot be the name of a file')
			.waitFor()
		await sheet(/^Rename/)
			.getByLabel('Name')
			.fill('daily/Books')
		await press('Enter')
		await list().getByRole('button', { name: 'Books' }).waitFor()
		expect(await readdir(folder)).toEqual(['daily'])
		// The console that shows the request follows.
		await panel().getByText('daily/Books.es').waitFor()
		await press('ControlOrMeta+s')
		await message('Saved Books.').waitFor()
		expect(await readdir(folder)).toEqual(['daily'])
		await list().getByRole('button', { name: 'Books' }).click({ button: 'right' })
		await page().getByRole('menuitem', { name: 'Delete' }).click()
		await list().waitFor({ state: 'detached' })
		expect(await readdir(folder)).toEqual([])
		await page().getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
		await list().getByRole('button', { name: 'Books' }).waitFor()
		expect(await readFile(join(folder, 'daily', 'Books.es'), 'utf8')).toBe('# name: Books\nGET /mine\n')
		await list().getByRole('button', { name: 'daily' }).press('F2')
		await sheet('Rename daily').getByLabel('Name').fill('weekly')
		await press('Enter')
		await list().getByRole('button', { name: 'weekly' }).press('Delete')
		await message('Deleted weekly with 1 request.').waitFor()
		expect(await readdir(folder)).toEqual([])
		await page().getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click()
		await list().getByRole('button', { name: 'Books' }).waitFor()
		expect(await readdir(folder)).toEqual(['weekly'])
	})

	test('undoing the deletion of a file restores its path, even if its name belongs to another file', async () => {
		await writePrivateFile(join(folder, 'other.es'), '# name: Twin\nGET /other\n')
		await writePrivateFile(join(folder, 'Twin.es'), 'GET /twin\n')
		const head = page().getByRole('region', { name: 'Saved requests' }).getByRole('button', { name: 'Saved requests' })
		await head.click()
		await head.click()
		await list().getByTitle('other.es').press('Delete')
		await list().getByTitle('other.es').waitFor({ state: 'detached' })
		await page().getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click()
		await list().getByTitle('other.es').waitFor()
		expect(await readFile(join(folder, 'other.es'), 'utf8')).toBe('# name: Twin\nGET /other\n')
		expect(await readFile(join(folder, 'Twin.es'), 'utf8')).toBe('GET /twin\n')
		await rm(join(folder, 'other.es'))
		await rm(join(folder, 'Twin.es'))
	})

	test('the focus stays on its line when another window saves a request', async () => {
		const books = list().getByRole('button', { name: 'Books' })
		await books.focus()
		const text = 'GET /\n'
		await window.roundhouse.withHost(host =>
			host.call('requests.add', { connection, place: 'own', name: 'Another', text }),
		)
		const another = list().getByRole('button', { name: 'Another' })
		await another.waitFor()
		expect(await books.evaluate(element => element.matches(':focus'))).toBe(true)
		await another.press('Delete')
		await another.waitFor({ state: 'detached' })
	})

	test('a shared folder serves all connections, and a missing folder hides no other', async () => {
		await page().getByRole('button', { name: 'Settings' }).click()
		await page().getByRole('tab', { name: 'General' }).click()
		const field = page().getByLabel('Shared folder')
		await field.fill('nowhere')
		const save = page().getByRole('group', { name: 'Saved statements' }).getByRole('button', { name: 'Save' })
		await save.click()
		await page().getByRole('alert').getByText('use an absolute path').waitFor()
		await field.fill(shared)
		await writePrivateFile(join(shared, 'From the team.es'), 'GET /_cat/health?format=json')
		await save.click()
		await save.waitFor({ state: 'detached' })
		await press('Escape')
		await list().getByRole('button', { name: 'From the team' }).click()
		await expect.poll(text).toBe('GET /_cat/health?format=json')
		await list().getByRole('button', { name: 'Books' }).waitFor()
	})

	test('a variable without a value is asked for, and the statement runs with it and is classified by it', async () => {
		await write('GET /books/_count\n\nGET /{{index}}/_search\n{ "size": {{size}} }')
		await press('ControlOrMeta+Shift+Enter')
		const values = sheet('Variables of Sample')
		await values.getByRole('button', { name: 'Save and run' }).waitFor()
		await press('Escape')
		await values.waitFor({ state: 'detached' })
		await panel().getByRole('alert').getByText('There is no value for {{index}}').waitFor()
		expect(await runs().count()).toBe(0)
		await panel().getByRole('alert').getByRole('button', { name: 'Variables' }).click()
		await values.getByRole('button', { name: 'Save', exact: true }).waitFor()
		await press('Escape')
		await values.waitFor({ state: 'detached' })
		await panel().getByRole('textbox', { name: 'Console' }).focus()
		await press('ControlOrMeta+Shift+Enter')
		await values.getByLabel('Value of index').waitFor()
		await page().keyboard.type('places')
		await press('Tab')
		await page().keyboard.type('3')
		await press('Enter')
		await values.waitFor({ state: 'detached' })
		await runs().nth(1).getByText('GET /places/_search').waitFor()
		await runs().nth(1).getByText('2,500 in total').waitFor()
		// The resulting statement counts: a destructive one requires the name.
		await page().getByRole('button', { name: 'Sample', exact: true }).click({ button: 'right' })
		await page().getByRole('menuitem', { name: 'Variables' }).click()
		await values.getByRole('button', { name: 'Add' }).click()
		await values.getByLabel('Name of variable 3').fill('what')
		await values.getByLabel('Value of what').fill('places')
		await press('Enter')
		await values.waitFor({ state: 'detached' })
		await write('DELETE /{{what}}')
		await press('ControlOrMeta+Enter')
		await page().getByRole('dialog').getByText('DELETE /places').waitFor()
		await page().getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
		expect(await window.cluster('/places/_count')).toMatchObject({ count: 2500 })
		// Names of variables are completed.
		await write('GET /')
		await page().keyboard.type('{{wh')
		// For a moment a key would still go to the editor.
		await page().getByRole('option', { name: 'what' }).click()
		await expect.poll(text).toBe('GET /{{what}}')
	})

	test('a value that turns one statement into two runs nothing, wherever it comes from', async () => {
		await window.roundhouse.withHost(async caller => {
			const values = { what: '_count\n\nDELETE /places\n\nGET /_count', index: 'places', size: '3' }
			await caller.call('variables.write', { connection, values })
			await write('GET /{{what}}')
			await press('ControlOrMeta+Enter')
			await panel().getByRole('alert').getByText('is no longer one statement').waitFor()
			await caller.call('variables.write', { connection, values: { ...values, what: '# nothing' } })
			await expect(caller.call('console.fillIn', { connection, statements: ['{{what}}'] })).rejects.toMatchObject({
				code: 'request/not_one_statement',
			})
		})
		expect(await window.cluster('/places/_count')).toMatchObject({ count: 2500 })
	})

	test('a pasted curl command becomes a request, and a request can be copied as curl', async () => {
		await write('')
		await page().evaluate(
			`navigator.clipboard.writeText("curl -H 'Authorization: ApiKey c2VjcmV0' -XPOST 'http://elsewhere:9200/books/_count' -d '{\\"query\\":{\\"match_all\\":{}}}'")`,
		)
		await press('ControlOrMeta+v')
		await expect.poll(text).toBe('POST /books/_count\n{"query":{"match_all":{}}}')
		await message('Left out: Authorization.').waitFor()
		await panel().getByRole('button', { name: 'Format' }).click()
		await expect.poll(text).toBe('POST /books/_count\n{\n  "query": {\n    "match_all": {}\n  }\n}')
		await editor().click()
		await press('ControlOrMeta+z')
		await expect.poll(text).toBe('POST /books/_count\n{"query":{"match_all":{}}}')
		await press('Alt+Shift+F')
		await expect.poll(text).toContain('"match_all": {}')
		await panel().getByRole('button', { name: 'Copy as curl' }).click()
		await message('Copied as curl.').waitFor()
		const first = await message('Copied as curl.').elementHandle()
		await panel().getByRole('button', { name: 'Copy as curl' }).click()
		// The same message again replaces the first one.
		await expect.poll(() => first?.evaluate(line => line.isConnected), { timeout: 2_000 }).toBe(false)
		await message('Copied as curl.').waitFor()
		const copied = await page().evaluate<string>('navigator.clipboard.readText()')
		expect(copied).toContain(`curl -X POST --globoff '${window.clusterUrl}/books/_count'`)
		expect(copied).toContain('--data-binary')
		await page().evaluate(`navigator.clipboard.writeText('')`)
		await press('ControlOrMeta+Enter')
		await runs().first().getByText('POST /books/_count').click({ button: 'right' })
		await page().getByRole('menuitem', { name: 'Copy the request as curl' }).click()
		await expect.poll(() => page().evaluate('navigator.clipboard.readText()')).toBe(copied)
		expect(window.faults).toEqual([])
	})
})
