/** The parts of the window that F6 visits, in order. */
const panes = 'nav, .tabs, [role="grid"], aside, [data-pane], .toasts:has(li)'
const focusable =
	'button:not(:disabled), input:not(:disabled), select, textarea, [contenteditable="true"], [role="grid"], [tabindex="0"]'

/** The last focused element of each. */
const lastIn = new WeakMap<Element, HTMLElement>()

const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true })

/** Moves the focus to the next or previous pane, at its last position. */
export function goToPane(step: 1 | -1): void {
	const all = [...document.querySelectorAll<HTMLElement>(panes)].filter(isShown)
	const active = document.activeElement
	const at = all.findLastIndex(pane => pane.contains(active))
	const from = all[at]
	if (from && active instanceof HTMLElement) lastIn.set(from, active)
	for (let tries = 1; tries <= all.length; tries++) {
		const start = at === -1 && step === -1 ? 0 : at
		const pane = all[(start + step * tries + all.length * 2) % all.length]
		const target = pane && targetIn(pane)
		if (!target) continue
		target.focus()
		return
	}
}

function targetIn(pane: HTMLElement): HTMLElement | undefined {
	const last = lastIn.get(pane)
	if (last?.isConnected && isShown(last)) return last
	if (pane.matches(focusable)) return pane
	const selected = pane.querySelector<HTMLElement>('[aria-selected="true"]')
	const cell = [...pane.querySelectorAll<HTMLElement>('[role="grid"] [tabindex="0"]')].find(isShown)
	return selected ?? cell ?? [...pane.querySelectorAll<HTMLElement>(focusable)].find(isShown)
}

/**
 * Focuses the grid of the active tab as soon as it is drawn, unless the user navigates tabs, is in a sheet, is in this
 * tab already or went elsewhere meanwhile: on a slow machine the user may be working there already.
 */
export function goToWorkOnceDrawn(tab: string): void {
	const before = document.activeElement
	requestAnimationFrame(() => {
		const active = document.activeElement
		const view = document.querySelector<HTMLElement>(`[data-view="${CSS.escape(tab)}"]`)
		if (active !== before && active !== document.body && active !== null) return
		if (view?.contains(active) || active?.closest('.tabs') || document.querySelector('[role="dialog"]:not(.pane)'))
			return
		const grids = [...(view?.querySelectorAll<HTMLElement>('[role="grid"]') ?? [])]
		grids.find(isShown)?.focus()
	})
}

/** Focuses the search field for the focused part: the sidebar's or the tab's. @returns whether there is one */
export function goToSearch(): boolean {
	const focused = document.activeElement?.closest('nav, .tab-view')
	const place = focused ?? document.querySelector('main')
	const fields = [...(place?.querySelectorAll<HTMLInputElement>('input[type="search"]') ?? [])]
	const field = fields.find(isShown)
	field?.focus()
	field?.select()
	return field !== undefined
}
