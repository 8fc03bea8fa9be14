import { expect } from 'vitest'
import type { Screen, Stage } from './stage.ts'

/** Connections, palettes, facts, settings and messages. The last screen ends the host. */
export function windowScreens(stage: Stage): readonly Screen[] {
	const { sheet, press, button, closeSheet, menu, closeMenu } = stage
	/** A page of the settings. */
	const page = (title: string): Screen => ({
		name: `settings, ${title}`,
		show: async () => {
			if ((await sheet().count()) === 0) await button('Settings').click()
			await sheet().getByRole('tab', { name: title }).click()
			await sheet().getByRole('tabpanel', { name: title }).waitFor()
			await expect.poll(() => sheet().getByText('Loading …').count()).toBe(0)
		},
	})
	return [
		{
			name: 'menu of a connection',
			show: async () => button('Sample').click({ button: 'right' }).then(menu),
			leave: closeMenu,
		},
		{
			name: 'removal of a connection',
			show: async () => {
				await button('Sample').click({ button: 'right' })
				await stage.window.page.getByRole('menuitem', { name: 'Remove' }).click()
				await sheet().getByText('Remove Sample?').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'commands',
			show: () => press('ControlOrMeta+Shift+p').then(() => stage.window.page.keyboard.type('col')),
			leave: closeSheet,
		},
		{
			name: 'quick open',
			show: () => press('ControlOrMeta+p').then(() => stage.window.page.keyboard.type('b')),
			leave: closeSheet,
		},
		{
			name: 'facts of the cluster',
			show: async () => {
				await button('Overview').click()
				await stage.window.page.getByRole('region', { name: 'Health' }).getByText('green').waitFor()
			},
		},
		{
			name: 'two panes',
			show: async () => {
				await press('ControlOrMeta+\\')
				await stage.window.page.locator('.panes.split').waitFor()
			},
			leave: () => press('ControlOrMeta+k', 'm'),
		},
		{
			name: 'facts of an index',
			show: async () => {
				await stage.window.page.getByRole('tab', { name: 'books' }).click()
				await stage.books.root.getByRole('button', { name: 'About this index' }).click()
				await stage.window.page.getByRole('region', { name: 'Fields' }).getByRole('table').waitFor()
			},
		},
		page('General'),
		page('Plugins'),
		page('AI access'),
		{
			name: 'settings, AI access, groups of tools of a token',
			show: async () => {
				await sheet().getByText('Visible tools').last().click()
				await sheet().getByText('list_connections').waitFor()
			},
		},
		page('Activity'),
		{ ...page('Appearance'), leave: closeSheet },
		{
			name: 'choice of a driver',
			show: async () => {
				await button('New connection').click()
				await sheet().getByRole('button', { name: 'Elasticsearch' }).waitFor()
			},
		},
		{
			name: 'connection form',
			show: async () => {
				await sheet().getByRole('button', { name: 'Elasticsearch' }).click()
				await sheet().getByLabel('Hosts').waitFor()
			},
		},
		{
			name: 'connection form with missing values',
			show: async () => {
				await sheet().getByLabel('Hosts').fill('127.0.0.1:1')
				await sheet().getByRole('button', { name: 'Test' }).click()
				await sheet().getByRole('alert').waitFor()
			},
		},
		{
			name: 'question before typed text is lost',
			show: async () => {
				await press('Escape')
				await stage.window.page.getByRole('alertdialog').waitFor()
				// The next Escape answers it.
				await press('Escape')
				await press('Escape')
			},
			leave: async () => {
				await stage.window.page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
				await sheet().waitFor({ state: 'detached' })
			},
		},
		{
			name: 'names found by the search of the sidebar',
			show: async () => {
				await stage.window.page.getByRole('searchbox', { name: 'Search indices' }).fill('b*')
				await stage.window.page.getByRole('list', { name: 'Found by name' }).waitFor()
			},
			leave: () => stage.window.page.getByRole('searchbox', { name: 'Search indices' }).fill(''),
		},
		{
			name: 'messages',
			show: async () => {
				await stage.window.page.getByRole('tab', { name: 'books', exact: true }).click()
				await stage.books.edit(0, 'author.country', 'YY')
				await stage.books.save()
				await stage.window.page.getByRole('region', { name: 'Messages' }).getByText('Saved 1 document.').waitFor()
				// The sheet hides the window from screen readers until it is closed.
				await sheet().waitFor({ state: 'detached' })
				await stage.window.page.locator('.app:not([aria-hidden])').waitFor()
			},
		},
		{
			name: 'host that stopped',
			show: async () => {
				await stage.window.roundhouse.stop('SIGKILL')
				await stage.window.page.getByText('Roundhouse stopped.').waitFor()
			},
		},
	]
}
