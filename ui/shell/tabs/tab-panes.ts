import { batch, createSignal } from 'solid-js'

export type PaneSide = 'left' | 'right'
const other = (side: PaneSide): PaneSide => (side === 'left' ? 'right' : 'left')

/** Which pane each tab is in, the front tab of each pane, and the pane that has the focus. One pane is the left one. */
export function createTabPanes<T extends { readonly id: string }>(tabs: () => readonly T[]) {
	const [right, setRight] = createSignal<ReadonlySet<string>>(new Set())
	const [fronts, setFronts] = createSignal<Readonly<Partial<Record<PaneSide, string>>>>({})
	const [focused, setFocused] = createSignal<PaneSide>('left')
	/** The front tabs of the last window, until the user shows others. */
	let beside: Readonly<Partial<Record<PaneSide, string>>> = {}
	const sideOf = (id: string): PaneSide => (right().has(id) ? 'right' : 'left')
	const tabsIn = (side: PaneSide) => tabs().filter(({ id }) => sideOf(id) === side)
	const activeId = () => fronts()[focused()]

	/** The front tab of a pane. The pane beside the focused one always shows a tab. */
	function frontOf(side: PaneSide): string | undefined {
		const [own, id] = [tabsIn(side), fronts()[side]]
		if (side === focused() || own.some(tab => tab.id === id)) return id
		return (own.find(tab => tab.id === beside[side]) ?? own.at(-1))?.id
	}

	const setFront = (side: PaneSide, id: string | undefined) =>
		setFronts(all => ({ left: all.left, right: all.right, [side]: id }) as Partial<Record<PaneSide, string>>)

	function activate(id: string | undefined): void {
		if (id === undefined) return
		batch(() => {
			setFront(sideOf(id), id)
			setFocused(sideOf(id))
		})
	}

	/** After a tab has left: an empty pane closes, and what is left is the left pane. */
	function settle(): void {
		if (isSplit()) return
		const last = frontOf(tabsIn('right').length > 0 ? 'right' : 'left')
		batch(() => {
			setRight(new Set<string>())
			setFronts(last === undefined ? {} : { left: last })
			setFocused('left')
		})
	}

	/** Shows the neighbour of a tab that leaves its pane. */
	function leave(id: string): void {
		const side = sideOf(id)
		if (frontOf(side) !== id) return
		const own = tabsIn(side)
		const index = own.findIndex(tab => tab.id === id)
		setFront(side, (own[index + 1] ?? own[index - 1])?.id)
	}

	const isSplit = () => tabsIn('left').length > 0 && tabsIn('right').length > 0

	function moveTo(id: string, side: PaneSide): void {
		if (sideOf(id) === side || tabs().length < 2) return
		batch(() => {
			leave(id)
			const next = new Set(right())
			if (side === 'right') next.add(id)
			else next.delete(id)
			setRight(next)
			activate(id)
			settle()
		})
	}

	return {
		activeId,
		activate,
		isSplit,
		focused,
		tabsIn,
		frontOf,
		/** Whether a tab is visible: the front tab of its pane. */
		isFront: (id: string) => (isSplit() ? frontOf(sideOf(id)) : activeId()) === id,
		/** The pane where a tab is drawn. */
		sideOf: (id: string): PaneSide => (isSplit() ? sideOf(id) : 'left'),
		focus: (side: PaneSide) => void (isSplit() && side !== focused() && activate(frontOf(side))),
		focusOther: () => void (isSplit() && activate(frontOf(other(focused())))),
		moveTo,
		moveToOther: (id: string) => moveTo(id, other(sideOf(id))),
		/** A new tab is in the focused pane. */
		enter: (id: string) => void (focused() === 'right' && setRight(all => new Set([...all, id]))),
		leave,
		settle,
		/** Another tab takes the position of one. */
		replace(id: string, next: string): void {
			const side = sideOf(id)
			if (side === 'right') setRight(all => new Set([...all, next]))
			if (fronts()[side] === id) setFront(side, next)
		},
		/** The split for storage. */
		kept: () => ({ right: [...right()], fronts: { ...fronts() } }),
		/** Restores a stored split before its tabs are restored; anything else is ignored. */
		restore(kept: unknown): void {
			if (typeof kept !== 'object' || kept === null) return
			const { right, fronts } = kept as { readonly right?: unknown; readonly fronts?: unknown }
			const isText = (id: unknown) => typeof id === 'string'
			if (Array.isArray(right) && right.every(isText)) setRight(new Set<string>(right))
			if (typeof fronts !== 'object' || fronts === null) return
			const known = Object.entries(fronts).filter(([side, id]) => /^(left|right)$/.test(side) && isText(id))
			beside = Object.fromEntries(known)
		},
	}
}
