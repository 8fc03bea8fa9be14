import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** The values of `:name` and `$1` are asked for when a statement with them runs. */

let window: FakeWindow
let panel: ConsolePanel

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { console: fakeLanguage({ canExplain: true, canPlan: true, takesParameters: true }) },
		answers: {
			...consoleAnswers({
				judge: text => {
					const asks = [...text.matchAll(/('?%?)(?::|\{\{)(\w+)(?:\}\})?/g)].map(
						({ index, 0: found, 1: before = '', 2: name = '' }) => ({
							start: index + before.length,
							end: index + found.length,
							name,
							...(before !== '' && { doubled: "'" }),
						}),
					)
					const misplaced = { code: 'invalid_argument', message: 'It takes no quotes.' } as const
					return { ...(asks.length > 0 && { asks }), ...(text.includes("'{{") && { fault: misplaced }) }
				},
				run: () => ({ body: rowsBody({ n: { kind: 'number' } }, [[1]]) }),
			}),
			'console.explain': () => ({ wasRun: false, notices: [], steps: [{ name: 'Scan', depth: 0 }] }),
		},
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const dialog = () => page.getByRole('dialog', { name: 'Values of the statement' })
const field = (name: string) => dialog().getByLabelText(name, { exact: true })
async function begin(text: string): Promise<void> {
	await panel.write(text)
	await press('ControlOrMeta+Enter')
	await expect.element(dialog()).toBeVisible()
}
const filled = () => window.host.callsOf('console.fillIn').map(({ statements, values }) => [statements, values])

test('each name is asked for once, and the values are sent apart from the text', async () => {
	await begin('select :id, :id, :day')
	expect(await violations()).toEqual([])
	await field(':id').fill('7')
	await field(':day').fill('2026-01-02')
	await press('Enter')
	await expect.element(panel.runs.first()).toBeVisible()
	expect(filled()).toEqual([[['select {{id}}, {{id}}, {{day}}'], { id: '7', day: '2026-01-02' }]])
})

test('the last value is offered, but not that of a secret, and Escape runs nothing', async () => {
	await begin('select :id, :password')
	await field(':id').fill('7')
	await expect.element(field(':password')).toHaveAttribute('type', 'password')
	await field(':password').fill('hidden')
	await press('Enter')
	await expect.element(panel.runs.first()).toBeVisible()
	expect(JSON.stringify(window.records)).not.toContain('hidden')
	await begin('select :password, :id')
	await expect.element(field(':id')).toHaveValue('7')
	await expect.element(field(':password')).toHaveValue('')
	await press('Escape')
	await expect.element(dialog()).not.toBeInTheDocument()
	expect(filled()).toHaveLength(1)
})

test('a statement without places asks for nothing', async () => {
	await panel.run('select 1')
	await expect.element(dialog()).not.toBeInTheDocument()
	expect(filled()).toEqual([])
})

test('a plan asks for the values too, and what is said of a result has the places as they are typed', async () => {
	await panel.write('select :id')
	await press('ControlOrMeta+Shift+e')
	await expect.element(dialog()).toBeVisible()
	await field(':id').fill('7')
	await dialog().getByRole('button', { name: 'Explain' }).click()
	await expect.element(page.getByRole('region', { name: 'Plan' }).getByTitle('select :id')).toBeVisible()
	expect(window.host.callsOf('console.explain')).toMatchObject([{ statement: 'select {{id}}', values: { id: '7' } }])
	// In a narrow pane the plan covers the result.
	await page.getByRole('button', { name: 'Close the plan' }).click()
	const sent = { text: 'select $1', start: 0, end: 9, summary: 'select', access: 'read' } as const
	window.host.answer({ 'console.fillIn': () => [{ ...sent, parameters: { id: '7' } }] })
	await begin('select :id')
	await press('Enter')
	await expect.element(panel.root.getByText(':id = "7"')).toBeVisible()
})

test('a name in quotes is asked for if the user says so, and its value is a part of the text', async () => {
	await panel.run("select '%:code%'")
	expect(filled()).toEqual([])
	await panel.root.getByRole('button', { name: 'More', exact: true }).click()
	await page.getByRole('menuitem', { name: 'Also ask for :name in quotes' }).click()
	await begin("select '%:code%', :id")
	await field(':code').fill("it's {{a}}")
	await field(':id').fill('7')
	await press('Enter')
	await expect.element(panel.runs.first()).toBeVisible()
	const values = { code: "it's {{a}}", id: '7' }
	await expect.poll(filled).toEqual([[["select '%it''s \\{{a}}%', {{id}}"], values]])
})

test('a place that is refused in quotes says how its value is asked for', async () => {
	await panel.run("select '{{code}}'")
	await expect.element(panel.root.getByText(/takes no quotes\. To be asked for it, choose/)).toBeVisible()
	await panel.root.getByRole('button', { name: 'More', exact: true }).click()
	await page.getByRole('menuitem', { name: 'Also ask for :name in quotes' }).click()
	await begin("select '{{code}}'")
	await field('{{code}}').fill('A7')
	await press('Enter')
	await expect.poll(filled).toEqual([[["select 'A7'"], { code: 'A7' }]])
})
