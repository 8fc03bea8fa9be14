/** Whose a driver is: as it calls itself, and under which name its registry knows those who sign it. */
export function publisherOf(offer: {
	readonly manifest: { readonly publisher: string }
	readonly source: { readonly publisher: string }
}): string {
	const [said, signed] = [offer.manifest.publisher, offer.source.publisher]
	return said.toLowerCase() === signed ? said : `${said} (${signed})`
}
