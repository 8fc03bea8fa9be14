import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Screen, Stage } from './stage.ts'

/** A console, its answers, and its saved requests. */
export function consoleScreens(stage: Stage): readonly Screen[] {
	const { sheet, press, button, closeSheet } = stage
	return [
		{
			name: 'console with answers',
			show: async () => {
				await press('ControlOrMeta+t')
				const tab = stage.window.page.getByRole('tabpanel', { name: 'Console' })
				await tab.waitFor()
				await stage.window.page.keyboard.insertText(
					'# what is there\nGET /books/_search?size=3\n\nGET /_cat/health\n\nGET /nowhere/_doc/1\n\nGET /books/_count\n',
				)
				await tab.getByRole('button', { name: 'Run all' }).click()
				await tab.getByRole('columnheader', { name: 'title' }).waitFor()
				await tab.getByRole('article', { name: 'GET /_cat/health' }).getByText('200 OK').waitFor()
				await tab.getByText('1 of 4 not run').waitFor()
			},
		},
		{
			name: 'what was run',
			show: async () => {
				await button('History').click()
				await sheet().getByText('404 Not Found').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'name for a saved request',
			show: async () => {
				await press('ControlOrMeta+Shift+s')
				await sheet().getByLabel('Name').fill('reports//')
				await press('Enter')
				await sheet().getByRole('alert').waitFor()
			},
			leave: async () => {
				await sheet().getByLabel('Name').fill('reports/What is there')
				await press('Enter')
				await sheet().waitFor({ state: 'detached' })
			},
		},
		{
			name: 'saved requests beside a console',
			show: async () => {
				await stage.window.page.getByRole('list', { name: 'Saved requests' }).getByText('What is there').waitFor()
			},
		},
		{
			name: 'variables of a connection',
			show: async () => {
				await button('Variables').click()
				await sheet().getByLabel('Name of variable 1').fill('index')
			},
			leave: closeSheet,
		},
		{
			name: 'saved request that was changed on disk',
			show: async () => {
				const requests = join(stage.window.roundhouse.home, 'requests')
				const [connection = ''] = await readdir(requests)
				await writeFile(join(requests, connection, 'reports', 'What is there.es'), 'GET /_cat/indices\n')
				await press('ControlOrMeta+s')
				await sheet().getByText('GET /_cat/indices').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'offer of a request to AI clients',
			show: async () => {
				const requests = join(stage.window.roundhouse.home, 'requests')
				const [connection = ''] = await readdir(requests)
				await writeFile(join(requests, connection, 'reports', 'What is there.es'), 'GET /{{index}}/_count\n')
				const saved = stage.window.page.getByRole('list', { name: 'Saved requests' })
				await saved.getByText('What is there').click({ button: 'right' })
				await stage.window.page.getByRole('menuitem', { name: 'Offer to AI' }).click()
				await sheet().getByLabel('Type').selectOption('One of a list')
			},
			leave: closeSheet,
		},
		{
			name: 'renaming a console',
			show: async () => {
				await stage.window.page.getByRole('tab', { name: 'What is there' }).dblclick()
				await stage.window.page.getByRole('textbox', { name: 'Name of What is there' }).waitFor()
			},
			leave: async () => {
				await stage.window.page.getByRole('textbox', { name: 'Name of What is there' }).fill('Console')
				await press('Enter')
			},
		},
		{
			name: 'answer as JSON, filtered by an expression',
			show: async () => {
				const run = stage.window.page.getByRole('article', { name: 'GET /books/_search' })
				await run.getByText('JSON', { exact: true }).click()
				await run.getByRole('textbox', { name: /^Filter of the answer/ }).fill('hits.hits[*]._id')
				const answer = run.getByRole('textbox', { name: 'the answer', exact: true })
				await expect.poll(() => answer.innerText()).toMatch(/^\[\s+"\d+",/)
			},
		},
		{
			name: 'answer as a chart, with values over all rows',
			show: async () => {
				const tab = stage.window.page.getByRole('tabpanel', { name: 'Console' })
				await tab.getByRole('textbox', { name: 'Console' }).click()
				await press('ControlOrMeta+End')
				await stage.window.page.keyboard.insertText(
					'\n\nPOST /events/_search\n{"size": 0, "aggs": {"most": {"max": {"field": "bytes"}}, "levels": {"terms": {"field": "level"}}}}',
				)
				await press('ControlOrMeta+Enter')
				const run = stage.window.page.getByRole('article', { name: 'POST /events/_search' })
				await run.getByRole('region', { name: 'Over all rows' }).waitFor()
				await run.getByText('Chart', { exact: true }).click()
				await run.getByRole('img', { name: /^doc_count by levels/ }).waitFor()
			},
		},
		{
			name: 'statements that wait for consent',
			show: async () => {
				const tab = stage.window.page.getByRole('tabpanel', { name: 'Console' })
				await tab.getByRole('textbox', { name: 'Console' }).click()
				await press('ControlOrMeta+End')
				await stage.window.page.keyboard.insertText('\n\nDELETE /places')
				await press('ControlOrMeta+Enter')
				await sheet().getByText('This deletes').waitFor()
			},
			leave: closeSheet,
		},
	]
}
