-- The highest build number, 0 where nothing was built.
SELECT coalesce(max(build), 0) AS build FROM canonical.builds
