import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ProjectView } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** The folder of a team: shown first, and opened as it was shown. */

let window: FakeWindow
const sheet = () => page.getByRole('dialog', { name: 'Open project' })
const entries = () => sheet().getByRole('list', { name: 'Connections of the project' })

const entry = {
	name: 'Shop',
	engine: 'Shop DB',
	address: 'db:1/shop',
	change: 'new',
	values: [{ label: 'Host', value: 'db' }],
	hides: [],
	isStricter: false,
	needsDriver: false,
	forgetsSecrets: false,
} as const
const project: ProjectView = {
	folder: '/home/me/shop',
	digest: 'd1',
	isAgreed: false,
	requests: 'statements',
	entries: [
		{
			...entry,
			ssh: 'ann@hop:2222, over first',
			values: [
				...entry.values,
				{ label: 'SSH server', value: 'ann@hop:2222' },
				{ label: 'Jump hosts', value: 'first' },
			],
			hides: [{ table: 'people', column: 'salary' }],
			needsDriver: true,
		},
		{
			...entry,
			name: 'Stock',
			change: 'changed',
			ssh: 'evil.example',
			values: [
				{ label: 'Host', before: 'old', value: 'new' },
				{ label: 'SSH server', before: 'hop', value: 'evil.example' },
			],
			forgetsSecrets: true,
			isStricter: true,
		},
		{ ...entry, name: 'Logs', values: [], fault: 'CA is a path of this machine. Enter it in the form' },
	],
	gone: ['Archive'],
}

beforeEach(async () => {
	window = await openWindow({
		answers: {
			'projects.read': ({ folder }) => {
				if (folder !== '/home/me/shop') throw new Error('The project in /x was not opened: there is no such file.')
				return project
			},
			'projects.open': () => [{ id: 'p1', name: 'Shop' }],
		},
	})
})

async function show(folder: string): Promise<void> {
	await sheet().getByLabelText('Folder', { exact: true }).fill(folder)
	await sheet().getByRole('button', { name: 'Show' }).click()
}

test('a project is shown with all that it changes, and opened by the text that was shown', async () => {
	await press('F1')
	await page.getByRole('combobox').fill('Open project')
	await press('Enter')
	await show('/home/me/shop')
	const first = () => entries().getByRole('listitem').nth(0)
	await expect.element(first().getByText('Host: db')).toBeVisible()
	await expect.element(first().getByText('Shop DB · db:1/shop · through SSH: ann@hop:2222, over first')).toBeVisible()
	await expect.element(first().getByText('SSH server: ann@hop:2222')).toBeVisible()
	await expect.element(first().getByText('Hidden from AI clients: people, salary')).toBeVisible()
	await expect.element(first().getByText('Downloads its driver.')).toBeVisible()
	const second = () => entries().getByRole('listitem').nth(1)
	await expect.element(second().getByText('Host: old becomes new')).toBeVisible()
	await expect.element(second().getByText('SSH server: hop becomes evil.example')).toBeVisible()
	await expect.element(second().getByText('Its stored secrets are removed')).toBeVisible()
	await expect.element(second().getByText('Writes of persons are asked for')).toBeVisible()
	await expect.element(entries().getByText('Left out: CA is a path of this machine.')).toBeVisible()
	await expect.element(sheet().getByText('Archive is no longer in the file')).toBeVisible()
	await expect.element(sheet().getByText('statements', { exact: true })).toBeVisible()
	expect(window.host.callsOf('projects.open')).toEqual([])
	expect(await violations()).toEqual([])
	await sheet().getByRole('button', { name: 'Agree and open' }).click()
	await expect.element(page.getByText('The project has 1 connection.')).toBeVisible()
	await expect.element(sheet()).not.toBeInTheDocument()
	expect(window.host.callsOf('projects.open')).toEqual([{ folder: '/home/me/shop', digest: 'd1' }])
})

test('a folder without a project says why, and one that changed meanwhile is shown again', async () => {
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'General' }).click()
	await page.getByRole('button', { name: 'Open project …' }).click()
	await show('/x')
	await expect.element(sheet().getByRole('alert').getByText('there is no such file')).toBeVisible()
	await show('/home/me/shop')
	await expect.element(sheet().getByRole('alert')).not.toBeInTheDocument()
	window.host.fail('projects.open', 'The roundhouse.json in /home/me/shop has changed since you read it.')
	await sheet().getByRole('button', { name: 'Agree and open' }).click()
	await expect.element(sheet().getByRole('alert').getByText('has changed since you read it')).toBeVisible()
	// Another folder needs another look.
	await sheet().getByLabelText('Folder', { exact: true }).fill('/y')
	await expect.element(sheet().getByRole('button', { name: 'Show' })).toBeVisible()
	await expect.element(entries()).not.toBeInTheDocument()
})

test('connections are written as a project, and what stays on this machine is named', async () => {
	window.host.answer({
		'projects.write': ({ folder, ids }) => ({
			folder,
			written: ids.map(id => ({ id, name: 'Sample shop', left: ['Password', 'Key file of SSH'] })),
		}),
	})
	await press('F1')
	await page.getByRole('combobox').fill('Save as project')
	await press('Enter')
	const sheet = page.getByRole('dialog', { name: 'Save as project' })
	const save = sheet.getByRole('button', { name: 'Save' })
	await expect.element(save).toBeDisabled()
	await sheet.getByLabelText('Folder', { exact: true }).fill('/home/me/shop')
	await expect.element(save).toBeDisabled()
	await sheet.getByRole('group', { name: 'Connections' }).getByRole('checkbox').first().click()
	expect(await violations()).toEqual([])
	await save.click()
	await expect.element(sheet.getByText('What stays on this machine: Password, Key file of SSH.')).toBeVisible()
	expect(window.host.callsOf('projects.write')).toMatchObject([{ folder: '/home/me/shop' }])
	window.host.fail('projects.write', 'Nothing was written to the project in /home/me/shop: it is a link.')
	await sheet.getByLabelText('Folder of statements').fill('queries')
	await save.click()
	await expect.element(sheet.getByRole('alert').getByText('it is a link')).toBeVisible()
	expect(window.host.callsOf('projects.write').at(-1)).toMatchObject({ requests: 'queries' })
})
