/** A fault that ends a case: later steps would only repeat it. */
export class CaseFailure extends Error {
	readonly place: string

	constructor(place: string, sentence: string) {
		super(sentence)
		this.place = place
	}
}

/** The case does not apply to this driver. */
export class DoesNotApply extends Error {}

/** The case needs a part of conformance.ts that is not given. @param how what to write there, as code */
export function notGiven(what: string, how: string): DoesNotApply {
	return new DoesNotApply(`conformance.ts has no ${what}. To try this case, add ${how}.`)
}

/** Collects the faults of one case. */
export type Report = (place: string, sentence: string) => void
