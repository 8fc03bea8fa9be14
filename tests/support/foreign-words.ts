import type { Page } from 'playwright'
import { expect } from 'vitest'

/**
 * Terms that only some engines have. The window, the host and the command line take them from the manifest of a driver,
 * or use a neutral word.
 */
export const foreignWord =
	/\b(requests?|fields?|curl|documents?|index(?!\.html)|indexes|indices|clusters?|shards?|mappings?|lucene|elastic\w*|searches|search[- ]engines?|_id|_search)\b/i

/** Returns all texts that a user can read, hear or get as a hint, anywhere in the page. */
const everyWord = `(() => {
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	const words = []
	while (texts.nextNode()) {
		if (!texts.currentNode.parentElement.closest('script, style')) words.push(texts.currentNode.data)
	}
	for (const element of document.querySelectorAll('*')) {
		for (const name of ['placeholder', 'aria-label', 'title', 'aria-placeholder', 'alt']) {
			if (element.hasAttribute(name)) words.push(element.getAttribute(name))
		}
		if ('value' in element) words.push(String(element.value))
	}
	return words
})()`

/** Returns the texts of a page that contain terms of other engines than the one in view. */
export async function foreignWordsOn(page: Page): Promise<readonly string[]> {
	const words = await page.evaluate<string[]>(everyWord)
	return words.filter(text => foreignWord.test(text))
}

/**
 * Fails if a screen of PostgreSQL has a word of a search engine. Both have indexes, and the first screen names both
 * engines.
 */
export async function noWordOfDocuments(page: Page): Promise<void> {
	const words = await foreignWordsOn(page)
	expect(words.filter(text => foreignWord.test(text.replaceAll(/\bindex(es)?\b|Elasticsearch/gi, '')))).toEqual([])
}
