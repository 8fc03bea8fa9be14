/** Whether the status of an answer, such as `404 Not Found`, says that the request was refused or failed. */
export const isRefusedStatus = (status: string): boolean => /^[45]\d\d\b/.test(status)
