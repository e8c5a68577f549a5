import { elementsOf, type Place } from './elements.ts';
import { RULES } from './lint-rules.ts';
import { schemaOf, type SdlVersion } from './sdl-version.ts';

export type Finding = {
  readonly rule: string;
  readonly coordinate: string;
  readonly message: string;
  readonly place: Place;
};

/** What breaks a rule of docs/schema-policy.md, in the order of the SDL. Throws an SdlError for an invalid SDL. */
export function lint(sdl: SdlVersion): Finding[] {
  const elements = elementsOf(schemaOf(sdl));
  return [...elements.values()].flatMap((element) =>
    RULES.flatMap(({ name, check }) => {
      const message = check(element, elements);
      return message === null ? [] : [{ rule: name, coordinate: element.coordinate, message, place: element.place }];
    }),
  );
}

export function findingLine({ place, coordinate, message, rule }: Finding): string {
  return `${place.file}:${place.line}:${place.column}: ${coordinate} ${message} (${rule})`;
}
