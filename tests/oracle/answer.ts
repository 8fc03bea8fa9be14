/** The rows of an answer, each with a number that the test gave it, and its rank in the order of the question. */
export type Answer = readonly { readonly number: string; readonly rank: number }[]

/** The question has no answer: the product must refuse it. */
export class Refusal extends Error {}
