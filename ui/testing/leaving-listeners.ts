/**
 * Removes what asks before a page is left, as leaving the page does. Tabs live longer than the window that shows them,
 * and the files of the tests share one page: an open transaction of one file would ask in the next.
 */
export function removeLeavingListeners(): void {
	for (const listener of added) removeEventListener('beforeunload', listener)
	added.clear()
}

const added = new Set<EventListenerOrEventListenerObject>()
const add = globalThis.addEventListener

globalThis.addEventListener = (
	type: string,
	listener: EventListenerOrEventListenerObject,
	options?: boolean | AddEventListenerOptions,
) => {
	if (type === 'beforeunload') added.add(listener)
	add(type, listener, options)
}
