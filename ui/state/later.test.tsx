import { cleanup, render } from '@solidjs/testing-library'
import { afterEach, expect, test } from 'vitest'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { later, loadRest } from './later.ts'

afterEach(cleanup)

const Said = (props: { readonly text: string }) => <p>{props.text}</p>

test('a part shows nothing until its code is there', async () => {
	const code = Promise.withResolvers<typeof Said>()
	const Part = later(() => code.promise)
	const { container } = render(() => <Part text="shown" />)
	expect(container.textContent).toBe('')
	code.resolve(Said)
	await expect.poll(() => container.textContent).toBe('shown')
})

test('a part that is loaded before is there at once', async () => {
	const Part = later(async () => Said)
	await loadRest()
	const { container } = render(() => <Part text="shown" />)
	expect(container.textContent).toBe('shown')
})

test('a part that cannot be loaded does not keep others from loading, and fails where it is shown', async () => {
	const Missing = later<{ readonly text: string }>(async () => {
		throw new Error('The file is gone.')
	})
	const Part = later(async () => Said)
	await loadRest()
	const failed = render(() => (
		<FaultBoundary what="This part">
			<Missing text="missing" />
		</FaultBoundary>
	))
	const { container } = render(() => <Part text="shown" />)
	expect(container.textContent).toBe('shown')
	await expect.poll(() => failed.container.textContent).toContain('This part')
})
