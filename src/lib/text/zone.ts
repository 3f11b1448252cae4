/**
 * A place as texts name it: «Madrid», where the gazetteer tells a capital from its province by «Madrid, Madrid», as forms and the JSON API do.
 * @param zone a place's name, or what a member wrote
 */
export function shownZone(zone: string): string {
  const [place, province, ...others] = zone.split(', ')
  return place === province && others.length === 0 ? place! : zone
}
