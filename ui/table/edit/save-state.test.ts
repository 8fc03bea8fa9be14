import { expect, test } from 'vitest'
import { afterStep, nothingSaved, type SaveState, type SaveStep } from './save-state.ts'
import { nothing, type Staged } from './staged.ts'

const review = { requests: ['update it'], reviews: ['shown'] }
const other = { requests: ['delete it'], reviews: ['shown too'] }
const reversal = (): Staged => ({ ...nothing, inserts: [] })
const ended = (saved: number, reversal?: Staged, failure?: string): SaveStep => ({
	do: 'end',
	saved,
	reversal,
	failure,
})
const after = (...steps: readonly SaveStep[]): SaveState => steps.reduce(afterStep, nothingSaved)
const phaseAfter = (...steps: readonly SaveStep[]) => after(...steps).phase
const reviewed: readonly SaveStep[] = [{ do: 'preview' }, { do: 'show', review }]

test('a review is shown after its preview, and sent from there', () => {
	expect(phaseAfter(...reviewed)).toEqual({ name: 'reviewing', review })
	expect(phaseAfter(...reviewed, { do: 'send' }, { do: 'progress', done: 1000 })).toEqual({
		name: 'sending',
		review,
		isCancelled: false,
		done: 1000,
	})
	expect(phaseAfter(...reviewed, { do: 'send' }, ended(1)).name).toBe('idle')
})

test('a review stays in view while it is made again', () => {
	expect(phaseAfter(...reviewed, { do: 'preview' })).toEqual({ name: 'previewing', review })
	expect(phaseAfter(...reviewed, { do: 'preview' }, { do: 'show', review: other })).toEqual({
		name: 'reviewing',
		review: other,
	})
})

test('a preview whose review was closed meanwhile shows nothing', () => {
	expect(phaseAfter({ do: 'preview' }, { do: 'close' }, { do: 'show', review }).name).toBe('idle')
	expect(phaseAfter({ do: 'preview' }, { do: 'empty' }, { do: 'fail', message: 'late' }).name).toBe('idle')
})

test('closing a review neither ends nor cancels what is being sent', () => {
	expect(phaseAfter(...reviewed, { do: 'send' }, { do: 'close' })).toMatchObject({
		name: 'sending',
		review: undefined,
		isCancelled: false,
	})
})

test.each<SaveStep>([
	{ do: 'preview' },
	{ do: 'show', review: other },
	{ do: 'send' },
	{ do: 'empty' },
	{ do: 'resolve' },
])('only an outcome ends a save, and not %j', step => {
	const sending = after(...reviewed, { do: 'send' })
	expect(afterStep(sending, step)).toBe(sending)
})

test('a save that fails as a whole keeps its review, and one that fails in part does not', () => {
	const whole = [...reviewed, { do: 'send' }, { do: 'fail', message: 'down' }] as const
	expect(phaseAfter(...whole)).toEqual({ name: 'failed', message: 'down', review })
	expect(phaseAfter(...whole, { do: 'resolve' })).toEqual({ name: 'reviewing', review })
	const part = [...reviewed, { do: 'send' }, ended(1, reversal(), 'Saved 1 of 2.')] as const
	expect(phaseAfter(...part)).toEqual({ name: 'failed', message: 'Saved 1 of 2.', review: undefined })
	expect(phaseAfter(...part, { do: 'resolve' }).name).toBe('idle')
})

test('an undo takes its save off the list, and a save without an undo clears the list', () => {
	const [first, second] = [reversal(), reversal()]
	const two = [{ do: 'send' }, ended(1, first), { do: 'send' }, ended(1, second)] as const
	expect(after(...two).undoable).toEqual([first, second])
	const undone = after(
		...two,
		{ do: 'stageUndo', reversal: second, isAlone: true },
		{ do: 'send' },
		ended(1, reversal()),
	)
	expect([undone.undoable, undone.undoing]).toEqual([[first], undefined])
	expect(after(...two, { do: 'send' }, ended(1)).undoable).toEqual([])
	expect(after(...two, { do: 'send' }, ended(0, undefined, 'Saved 0 of 1.')).undoable).toHaveLength(2)
})

test('an undo beside other changes is no longer offered, and one that is discarded is', () => {
	const saved = [{ do: 'send' }, ended(1, nothing)] as const
	expect(after(...saved, { do: 'stageUndo', reversal: nothing, isAlone: false })).toMatchObject({
		undoable: [],
		undoing: undefined,
	})
	expect(after(...saved, { do: 'stageUndo', reversal: nothing, isAlone: true }, { do: 'empty' })).toMatchObject({
		undoable: [nothing],
		undoing: undefined,
	})
})

test('an undo that was not sent stays an undo', () => {
	const saved = [{ do: 'send' }, ended(1, nothing), { do: 'stageUndo', reversal: nothing, isAlone: true }] as const
	expect(after(...saved, { do: 'send' }, { do: 'cancel' }, ended(0, undefined, 'cancelled')).undoing).toBe(nothing)
})
