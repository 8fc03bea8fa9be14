/** Words that always have one line and all their letters (WINDOW.md): buttons, tabs, names of menus, fields and dialogs. */
const labels = 'button, [role=tab], [role=menuitem], [role=columnheader], legend, h1, h2, .guard, .status-line span'

/** Buttons and lines whose rule is to be cut, with the whole text on hover or beside it. */
const mayBeCut = '[title], [aria-label], .toast, [role=option], [role=gridcell]'

/** Returns the labels that wrap, are truncated, or lie outside of what can be seen or reached by scrolling. */
export function labelFaults(): readonly string[] {
	return [...document.querySelectorAll<HTMLElement>(labels)].flatMap(label => {
		const isShown = label.checkVisibility({ visibilityProperty: true, opacityProperty: true })
		const words = label.textContent.trim()
		if (!isShown || words === '') return []
		const shown = `"${words.slice(0, 40)}" (${label.tagName.toLowerCase()}.${label.className})`
		return [
			...(lines(label) > 1 && getComputedStyle(label).whiteSpaceCollapse === 'collapse' ? [`${shown} wraps`] : []),
			...(label.scrollWidth > label.clientWidth + 1 && label.closest(mayBeCut) === null
				? [`${shown} is truncated`]
				: []),
			...(isOutside(label) ? [`${shown} lies outside`] : []),
		]
	})
}

/** How many lines the text of a label has; one if it has parts one below the other. An explanation in it may wrap. */
function lines(label: HTMLElement): number {
	const isExplanation = ({ parentElement }: Node) => parentElement?.closest('.quiet') !== null
	const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT, text =>
		isExplanation(text) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
	)
	let most = 1
	while (texts.nextNode()) {
		const range = document.createRange()
		range.selectNodeContents(texts.currentNode)
		most = Math.max(most, new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size)
	}
	return most
}

/** Whether an ancestor clips it where no scrolling reaches. */
function isOutside(label: HTMLElement): boolean {
	const box = label.getBoundingClientRect()
	for (let around = label.parentElement; around; around = around.parentElement) {
		const { overflowX } = getComputedStyle(around)
		if (overflowX === 'visible') continue
		const { left, right } = around.getBoundingClientRect()
		const isScrolled = overflowX === 'auto' || overflowX === 'scroll'
		if (box.left < left - 1 && around.scrollLeft === 0) return true
		// What it scrolls can be reached.
		if (isScrolled) return false
		if (box.right > right + 1 && label.closest(mayBeCut) === null) return true
	}
	return false
}
