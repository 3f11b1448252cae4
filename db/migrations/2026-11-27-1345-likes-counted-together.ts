/** It changed triggers of PostgreSQL, which 2026-11-29-1730-changes-in-order changes back. */
export async function up(): Promise<void> {}
