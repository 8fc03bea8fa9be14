import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { FakeClipboard, paste } from '../testing/clipboard.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { FakeRequests } from '../testing/fake-requests.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseMore } from '../testing/menu.ts'

/** Statements that are saved as files: saving, finding, changes by another program, and moving. */

let window: FakeWindow
let files: FakeRequests
let panel: ConsolePanel

beforeEach(async () => {
	files = new FakeRequests()
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { hasFacts: true, console: fakeLanguage({ canFormat: true, copiesAs: 'curl', pastes: ['curl '] }) },
		answers: {
			...consoleAnswers(),
			...files.answers(() => window.host.emit('requests.changed', null)),
			'facts.read': () => [{ title: 'Health', statement: 'show health' }],
		},
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const list = () => page.getByRole('list', { name: 'Saved statements' })
const line = (name: string) => list().getByRole('button', { name, exact: true })
const sheet = (name: string | RegExp) => page.getByRole('dialog', { name })
const messages = () => page.getByRole('region', { name: 'Messages' })
const message = (words: string) => messages().getByText(words).last()
const undo = () => messages().getByRole('button', { name: 'Undo' }).last().click()
const path = 'reports/One book.sql'
const asked = () => sheet('One book was changed on disk')

/** Writes files as another program would, and shows them. */
function write(texts: Readonly<Record<string, string>>): void {
	for (const [path, text] of Object.entries(texts)) files.write(path, text)
	window.host.emit('requests.changed', null)
}

async function openSaved(text = 'select 1'): Promise<void> {
	write({ [path]: text })
	await line('One book').click()
	panel = new ConsolePanel('One book')
	await expect.poll(() => panel.text()).toBe(text)
}

test('a statement is saved under a name in a folder, listed in the sidebar, and saved again by its key', async () => {
	await panel.write('select 1')
	await press('ControlOrMeta+Shift+s')
	await sheet('Save the statement').getByLabelText('Name').fill(' ')
	await expect.element(sheet('Save the statement').getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
	await sheet('Save the statement').getByLabelText('Name').fill('reports/One book')
	await press('Enter')
	await expect.element(message('Saved One book.')).toBeVisible()
	await expect.element(page.getByRole('tab', { name: 'One book' })).toBeVisible()
	expect(files.text(path)).toBe('select 1')
	panel = new ConsolePanel('One book')
	await panel.write('select 2')
	await expect.element(panel.root.getByText('· not saved')).toBeVisible()
	await press('ControlOrMeta+s')
	await expect.element(panel.root.getByText('· not saved')).not.toBeInTheDocument()
	expect(files.text(path)).toBe('select 2')
})

test('a folder of the list closes and opens', async () => {
	write({ [path]: 'select 1' })
	await line('reports').click()
	await expect.element(line('One book')).not.toBeInTheDocument()
	await line('reports').click()
	await expect.element(line('One book')).toBeVisible()
})

test('a text for the console is not appended to a saved statement', async () => {
	await openSaved()
	await page.getByRole('button', { name: 'Overview', exact: true }).click()
	await page.getByRole('button', { name: 'Health: open the statement in the console' }).click()
	// The first console is empty, so it takes the text.
	const other = new ConsolePanel()
	await expect.poll(() => other.text()).toBe('show health')
	await page.getByRole('tab', { name: 'One book' }).click()
	await expect.poll(() => panel.text()).toBe('select 1')
})

test('a file that another program changed is shown when it is opened again', async () => {
	await openSaved()
	files.write(path, 'select from_git')
	await line('One book').click()
	await expect.poll(() => panel.text()).toBe('select from_git')
})

test('a save over a changed file asks, and the user keeps the file', async () => {
	await openSaved()
	await panel.write('select mine')
	files.write(path, 'select theirs')
	await press('ControlOrMeta+s')
	await expect.element(asked().getByText('select theirs')).toBeVisible()
	await asked().getByRole('button', { name: 'Do not save' }).click()
	await expect.element(asked()).not.toBeInTheDocument()
	expect(files.text(path)).toBe('select theirs')
})

test('a changed file whose console has changes asks when it is opened, and can be loaded', async () => {
	await openSaved()
	await panel.write('select mine')
	files.write(path, 'select theirs')
	await line('One book').click()
	await asked().getByRole('button', { name: 'Load the file' }).click()
	await expect.poll(() => panel.text()).toBe('select theirs')
})

test('a changed file is overwritten at the wish of the user', async () => {
	await openSaved()
	await panel.write('select mine')
	files.write(path, 'select theirs')
	await press('ControlOrMeta+s')
	await asked().getByRole('button', { name: 'Overwrite with mine' }).click()
	await expect.poll(() => files.text(path)).toBe('select mine')
	await expect.poll(() => panel.text()).toBe('select mine')
})

test('saving again before the first save is answered causes no conflict', async () => {
	await openSaved()
	const release = window.host.hold('requests.write')
	for (const text of ['select 2', 'select 3']) {
		await panel.write(text)
		await press('ControlOrMeta+s')
	}
	release()
	await expect.poll(() => files.text(path)).toBe('select 3')
	await expect.element(panel.root.getByText('· not saved')).not.toBeInTheDocument()
	expect(asked().elements()).toEqual([])
})

test('Ctrl+P finds a saved statement, also after its tab was closed', async () => {
	await openSaved()
	await press('ControlOrMeta+k')
	await press('w')
	await expect.element(page.getByRole('tab', { name: 'One book' })).not.toBeInTheDocument()
	await press('ControlOrMeta+p')
	await type('rep one')
	await press('Enter')
	await expect.poll(() => panel.text()).toBe('select 1')
})

test('a statement is renamed and moved, its console follows, and a name that is no file is refused', async () => {
	await openSaved()
	await line('One book').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Rename or move' }).click()
	await sheet(/^Rename/)
		.getByLabelText('Name')
		.fill('../escaped')
	await press('Enter')
	await expect
		.element(
			sheet(/^Rename/)
				.getByRole('alert')
				.getByText('cannot be the name of a file'),
		)
		.toBeVisible()
	await sheet(/^Rename/)
		.getByLabelText('Name')
		.fill('daily/Books')
	await press('Enter')
	await expect.element(line('Books')).toBeVisible()
	panel = new ConsolePanel('Books')
	await expect.element(panel.root.getByText('daily/Books.sql')).toBeVisible()
	await panel.write('select 2')
	await press('ControlOrMeta+s')
	await expect.element(message('Saved Books.')).toBeVisible()
	expect([files.paths, files.text('daily/Books.sql')]).toEqual([['daily/Books.sql'], 'select 2'])
})

test('a deleted statement comes back at its path by Undo', async () => {
	write({ [path]: 'select 1' })
	await line('One book').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Delete' }).click()
	await expect.element(list()).not.toBeInTheDocument()
	expect(files.paths).toEqual([])
	await undo()
	await expect.element(line('One book')).toBeVisible()
	expect([files.paths, files.text(path)]).toEqual([[path], 'select 1'])
})

test('a folder is renamed by F2, deleted by its key with all that it has, and comes back by Undo', async () => {
	write({ [path]: 'select 1', 'reports/Two.sql': 'select 2' })
	await expect.element(line('reports')).toBeVisible()
	line('reports').element().focus()
	await press('F2')
	await sheet('Rename reports').getByLabelText('Name').fill('weekly')
	await press('Enter')
	await expect.element(line('weekly')).toBeVisible()
	await expect.element(sheet('Rename reports')).not.toBeInTheDocument()
	line('weekly').element().focus()
	await press('Delete')
	await expect.element(message('Deleted weekly with 2 statements.')).toBeVisible()
	expect(files.paths).toEqual([])
	await undo()
	await expect.poll(() => files.paths).toEqual(['weekly/One book.sql', 'weekly/Two.sql'])
})

test('the focus stays on its line when another window saves a statement', async () => {
	write({ [path]: 'select 1' })
	await expect.element(line('One book')).toBeVisible()
	line('One book').element().focus()
	write({ 'Another.sql': 'select 2' })
	await expect.element(line('Another')).toBeVisible()
	await expect.element(line('One book')).toHaveFocus()
})

test('statements of the shared folder are listed beside those of the connection', async () => {
	files.write('From the team.sql', 'select team', 'shared')
	write({ [path]: 'select 1' })
	await expect.element(list().getByText('Shared', { exact: true })).toBeVisible()
	await line('From the team').click()
	await expect.poll(() => new ConsolePanel('From the team').text()).toBe('select team')
	await expect.element(line('One book')).toBeVisible()
})

test('the shared folder is chosen in the settings, which show why a folder is refused', async () => {
	window.host.fail('settings.write', 'The folder cannot be used: use an absolute path.')
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'General' }).click()
	const group = page.getByRole('group', { name: 'Saved statements' })
	await group.getByLabelText('Shared folder').fill('nowhere')
	await group.getByRole('button', { name: 'Save' }).click()
	await expect.element(group.getByRole('alert').getByText('use an absolute path')).toBeVisible()
	window.host.answer({ 'settings.write': () => null })
	await group.getByLabelText('Shared folder').fill('/home/test/team')
	await group.getByRole('button', { name: 'Save' }).click()
	await expect.element(group.getByRole('button', { name: 'Save' })).not.toBeInTheDocument()
	expect(window.host.callsOf('settings.write').at(-1)).toEqual({ key: 'requests.folder', value: '/home/test/team' })
})

test('a pasted command becomes a statement, and says what was left out', async () => {
	window.host.answer({ 'console.readPasted': () => ({ text: 'select 1', notice: 'Left out: Authorization.' }) })
	await panel.write('')
	paste("curl -H 'Authorization: ApiKey c2VjcmV0' http://elsewhere")
	await expect.poll(() => panel.text()).toBe('select 1')
	await expect.element(message('Left out: Authorization.')).toBeVisible()
	expect(window.host.callsOf('console.readPasted')).toMatchObject([{ text: expect.stringContaining('curl -H') }])
})

test('a text is formatted by its button and its key, and undo restores it', async () => {
	window.host.answer({ 'console.format': ({ text }) => text.replaceAll(',', ',\n  ') })
	await panel.write('select 1,2')
	await chooseMore(panel.root, 'Format')
	await expect.poll(() => panel.text()).toBe('select 1,\n  2')
	await panel.editor.click()
	await press('ControlOrMeta+z')
	await expect.poll(() => panel.text()).toBe('select 1,2')
	await press('Alt+Shift+F')
	await expect.poll(() => panel.text()).toBe('select 1,\n  2')
})

test('a statement is copied in another format from the console and from its result', async () => {
	const clipboard = new FakeClipboard()
	window.host.answer({ 'console.copyAs': ({ statement }) => `curl '${statement}'` })
	await panel.run('select 1')
	await chooseMore(panel.root, 'Copy as curl')
	await expect.element(message('Copied as curl.')).toBeVisible()
	expect(clipboard.text).toBe("curl 'select 1'")
	clipboard.text = ''
	await panel.runs.getByText('select 1').first().click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Copy the statement as curl' }).click()
	await expect.poll(() => clipboard.text).toBe("curl 'select 1'")
})
