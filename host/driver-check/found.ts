/** A fault that ends a case: later steps would only repeat it. */
export class Fault extends Error {
	readonly place: string

	constructor(place: string, sentence: string) {
		super(sentence)
		this.place = place
	}
}

/** The case does not apply to this driver. */
export class DoesNotApply extends Error {}

/** Collects the faults of one case. */
export type Found = (place: string, sentence: string) => void
