-- Whether this version of a suite is on record.
SELECT count(*) AS known FROM grading.suites WHERE suite_hash = $suite_hash
