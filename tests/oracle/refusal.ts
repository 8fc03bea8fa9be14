/** The question has no answer: the product must refuse it. */
export class Refusal extends Error {}
