let statementCount = 0

/** Counts a statement that is sent to the database. */
export const countStatement = (): void => void statementCount++

/** Statements that this process has sent to the database: tests use it to prove that a cached page needs none. */
export const countStatements = (): number => statementCount
