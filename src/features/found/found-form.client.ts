import { offerHerePoint } from '#ui/here-point.client.ts'
import '#ui/required-fields.client.ts'
import { LOCATED_TEXT } from './found.ts'

for (const form of document.querySelectorAll<HTMLFormElement>('[data-found-form]')) offerHerePoint(form, LOCATED_TEXT)
