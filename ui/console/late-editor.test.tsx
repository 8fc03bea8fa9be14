import { cleanup, render } from '@solidjs/testing-library'
import { createRoot } from 'solid-js'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeLanguage } from '../testing/fake-engine.ts'

/** Loads the module again, as in a window in which no console was shown yet. */
async function fresh(): Promise<typeof import('./late-editor.ts')> {
	return import(/* @vite-ignore */ `./late-editor.ts?${++loads}`)
}
let loads = 0

const disposers: (() => void)[] = []
afterEach(() => {
	cleanup()
	for (const dispose of disposers.splice(0)) dispose()
})

function open({ createLateEditor }: typeof import('./late-editor.ts'), text: string, load?: () => Promise<never>) {
	const onChange = vi.fn<(text: string) => void>()
	const editor = createRoot(dispose => {
		disposers.push(dispose)
		const options = {
			text,
			language: fakeLanguage({ terminator: ';' }),
			onChange,
			onRun() {},
			readPasted: async () => undefined,
			variables: async () => [],
			complete: async () => ({ from: 0, options: [] }),
		}
		return createLateEditor(options, load)
	})
	return { editor, onChange }
}

test('an editor whose code is on its way has its text, and then does what it was asked meanwhile', async () => {
	const { editor, onChange } = open(await fresh(), 'select 1')
	expect(editor.dom()).toBeUndefined()
	expect(editor.text()).toBe('select 1')
	editor.take('select 2')
	editor.append('select 3')
	const { container } = render(() => <div>{editor.dom()}</div>)
	await expect.poll(() => container.querySelector('.cm-content')?.textContent).toBe('select 2;select 3')
	expect(editor.text()).toBe('select 2;\n\nselect 3')
	expect(onChange).toHaveBeenLastCalledWith('select 2;\n\nselect 3')
})

test('the next editor is there at once', async () => {
	const module = await fresh()
	const { editor } = open(module, 'select 1')
	await expect.poll(() => editor.dom()).toBeInstanceOf(HTMLElement)
	expect(open(module, 'select 2').editor.dom()).toBeInstanceOf(HTMLElement)
})

test('an editor whose code cannot be loaded says why where it is shown', async () => {
	const { editor } = open(await fresh(), 'select 1', () => Promise.reject(new Error('The file is gone.')))
	await vi.waitFor(() => expect(() => editor.dom()).toThrow('The file is gone.'))
	expect(editor.text()).toBe('select 1')
})
