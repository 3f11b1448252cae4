const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True for an id as the database writes them. */
export const isUuid = (text: string | undefined): text is string => text !== undefined && UUID_PATTERN.test(text)
